// SPDX-License-Identifier: Apache-2.0
"use strict";
(() => {
  const figures = JSON.parse(document.getElementById("figures").textContent);

  // Colours are CSS variables by name, so that they follow light and dark.
  const resolved = (value, style) => {
    if (typeof value === "string") {
      return value.startsWith("--") ? style.getPropertyValue(value).trim() : value;
    }
    if (Array.isArray(value)) return value.map((x) => resolved(x, style));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, resolved(v, style)]));
  };

  const draw = (chart) => {
    const figure = resolved(figures[chart.dataset.figure || chart.id],
                            getComputedStyle(document.documentElement));
    Plotly.react(chart, figure.data, figure.layout, {displayModeBar: false, responsive: true});
  };

  const charts = document.querySelectorAll(".chart");
  const drawAll = () => charts.forEach(draw);
  for (const select of document.querySelectorAll("select[data-chart]")) {
    select.addEventListener("change", () => {
      const chart = document.getElementById(select.dataset.chart);
      chart.dataset.figure = select.value;
      draw(chart);
    });
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  drawAll();
})();
