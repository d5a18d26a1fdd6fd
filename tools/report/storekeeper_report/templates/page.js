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

  const showLegend = (legend, traces) => {
    const seen = new Map(traces.map((trace) => [trace.name, trace]).reverse());
    legend.replaceChildren(...[...seen.values()].reverse().map((trace) => {
      const entry = document.createElement("span");
      const swatch = document.createElement("i");
      const mark = trace.mode === "markers";
      const bar = trace.type === "bar";
      swatch.style.background = mark || bar ? trace.marker.color : trace.line.color;
      swatch.style.opacity = bar ? trace.marker.opacity : 1;
      swatch.classList.toggle("mark", mark);
      swatch.classList.toggle("block", bar);
      entry.append(swatch, trace.name);
      return entry;
    }));
  };

  const draw = (chart) => {
    const figure = resolved(figures[chart.dataset.figure || chart.id],
                            getComputedStyle(document.documentElement));
    if (chart.dataset.days) {
      const end = Date.parse(figure.layout.xaxis.range[1] + "Z");
      const begin = new Date(end - chart.dataset.days * 86400000);
      figure.layout.xaxis.range[0] = begin.toISOString().slice(0, 19);
      figure.layout.xaxis.tickformat = "%-d %b";
    }
    Plotly.react(chart, figure.data, figure.layout, {displayModeBar: false, responsive: true});
    showLegend(chart.parentElement.querySelector(".legend"), figure.data);
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
  for (const select of document.querySelectorAll("select[data-days]")) {
    select.addEventListener("change", () => {
      const chart = document.getElementById(select.dataset.days);
      chart.dataset.days = select.value;
      draw(chart);
    });
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  drawAll();
})();
