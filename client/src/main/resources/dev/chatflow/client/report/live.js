"use strict";
const state = document.getElementById("state");
const charts = document.getElementById("charts");
const look = async () => {
  try {
    const answer = await fetch("now");
    const [first, ...rest] = (await answer.text()).split("\n");
    state.textContent = first;
    charts.innerHTML = rest.join("\n");
    setTimeout(look, 1000);
  } catch {
    state.textContent = "The run has ended. See report.html in its directory. These are the last charts.";
  }
};
look();
