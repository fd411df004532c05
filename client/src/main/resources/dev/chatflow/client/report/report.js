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
const timed = [...document.querySelectorAll("figure svg.time")].map(svg => {
  const plot = svg.querySelector(".plot");
  const at = name => Number(plot.getAttribute(name));
  const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
  line.setAttribute("class", "cursor");
  line.setAttribute("y1", at("y"));
  line.setAttribute("y2", at("y") + at("height"));
  line.setAttribute("visibility", "hidden");
  svg.appendChild(line);
  return { svg, line, from: at("x"), to: at("x") + at("width") };
});
timed.forEach(({ svg }) => {
  svg.addEventListener("pointermove", event => {
    const box = svg.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * svg.viewBox.baseVal.width;
    timed.forEach(({ line, from, to }) => {
      line.setAttribute("x1", x);
      line.setAttribute("x2", x);
      line.setAttribute("visibility", x >= from && x <= to ? "visible" : "hidden");
    });
  });
  svg.addEventListener("pointerleave", () => timed.forEach(({ line }) => line.setAttribute("visibility", "hidden")));
});
const regions = [...document.querySelectorAll("[role=region]")];
const stops = () => regions.forEach(region => { // the Tab key stops only at scrolling parts
  region.tabIndex = region.scrollWidth > region.clientWidth ? 0 : -1;
});
addEventListener("resize", stops);
stops();
