"use strict";
document.querySelectorAll("th").forEach(head => {
  head.classList.add("sorts");
  head.addEventListener("click", () => {
    const rows = head.closest("table").tBodies[0];
    const up = head.getAttribute("aria-sort") !== "ascending";
    const at = head.cellIndex;
    const value = row => row.cells[at] ? row.cells[at].textContent : "";
    const number = row => parseFloat(value(row).replace(/,/g, ""));
    head.parentNode.querySelectorAll("th").forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    [...rows.rows]
      .sort((a, b) => (up ? 1 : -1) * (number(a) - number(b) || value(a).localeCompare(value(b))))
      .forEach(row => rows.appendChild(row));
  });
});
const timed = [...document.querySelectorAll("figure svg.time")];
const cursors = timed.map(svg => {
  const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
  line.setAttribute("class", "cursor");
  line.setAttribute("y1", 44);
  line.setAttribute("y2", 228);
  line.setAttribute("visibility", "hidden");
  svg.appendChild(line);
  return line;
});
timed.forEach(svg => {
  svg.addEventListener("pointermove", event => {
    const box = svg.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * 900;
    cursors.forEach(line => {
      line.setAttribute("x1", x);
      line.setAttribute("x2", x);
      line.setAttribute("visibility", x >= 70 && x <= 880 ? "visible" : "hidden");
    });
  });
  svg.addEventListener("pointerleave", () => cursors.forEach(line => line.setAttribute("visibility", "hidden")));
});
