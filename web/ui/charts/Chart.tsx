// A chart with the table behind it. Server-rendered SVG: bars for counts, stacked when there are several series, or a
// line, interrupted where values are missing. The table has the same figures for screen readers and for copying.
import { useId } from "react";
import { useTranslation } from "#translations";
import { chooseLabels, ticksTo } from "./scale.ts";

interface Series {
  label: string;
  /** One per label of the chart; null where it has no value. */
  values: (number | null)[];
  tone?: "accent" | "good" | "bad" | "careful";
}

export interface ChartProps {
  title: string;
  /** Describes the chart for those who cannot see it. */
  summary: string;
  kind?: "bars" | "line";
  /** Header of the table's first column, such as "Day". */
  across: string;
  /** One per value: the axis labels and the table's first column. */
  labels: string[];
  series: Series[];
  format: (value: number) => string;
  /** The smallest difference that `format` writes; 1 by default, for counts. */
  unit?: number;
}

const fills = { accent: "fill-accent", good: "fill-good", bad: "fill-bad", careful: "fill-careful" };
const swatches = { accent: "bg-accent", good: "bg-good", bad: "bg-bad", careful: "bg-careful" };
const WIDTH = 1000;
const HEIGHT = 200;

export function Chart(props: ChartProps) {
  const { title, summary, kind = "bars", labels, series, format, unit } = props;
  const id = useId();
  const sums = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const ticks = ticksTo(Math.max(0, ...sums), unit);
  const top = ticks.at(-1) ?? 1;
  const written = chooseLabels(labels.length);
  const inTurn = [...written];
  return (
    <figure aria-labelledby={id} className="min-w-0">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <figcaption id={id} className="font-medium">
          {title}
        </figcaption>
        {series.length > 1 && (
          <ul className="flex gap-4 text-muted text-sm">
            {series.map(({ label, tone = "accent" }) => (
              <li key={label} className="flex items-center gap-1.5">
                <span
                  aria-hidden
                  className={`forced-color-adjust-none size-2 rounded-sm ${swatches[tone]}`}
                />
                {label}
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-faint text-xs tabular-nums">
        <div aria-hidden className="relative min-w-6 text-right">
          <span className="invisible">{longest(ticks.map(format))}</span>
          {ticks.map((tick) => (
            <span
              key={tick}
              className="-translate-y-1/2 absolute right-0"
              style={{ top: `${(1 - tick / top) * 100}%` }}
            >
              {format(tick)}
            </span>
          ))}
        </div>
        <div className="relative h-40">
          <svg
            role="img"
            aria-label={summary}
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            className="absolute inset-0 size-full overflow-visible"
          >
            {ticks.map((tick) => (
              <line
                key={tick}
                x1={0}
                x2={WIDTH}
                y1={HEIGHT - (tick / top) * HEIGHT}
                y2={HEIGHT - (tick / top) * HEIGHT}
                vectorEffect="non-scaling-stroke"
                className="stroke-line"
              />
            ))}
            {kind === "line" ? <Line {...props} top={top} /> : <Bars {...props} top={top} />}
          </svg>
        </div>
        <div aria-hidden className="relative col-start-2 mt-1.5 h-4">
          {labels.map((label, index) =>
            written.has(index) ? (
              <span
                key={label}
                className={`absolute whitespace-nowrap ${place(index, labels.length)} ${inTurn.indexOf(index) % 2 === 1 ? "max-sm:hidden" : ""}`}
                style={{ left: `${((index + 0.5) / labels.length) * 100}%` }}
              >
                {label}
              </span>
            ) : null,
          )}
        </div>
      </div>
      <Figures {...props} />
    </figure>
  );
}

const longest = (texts: string[]) => texts.reduce((a, b) => (b.length > a.length ? b : a), "");

/** Keeps the first and the last label inside the chart's width. */
function place(index: number, count: number): string {
  if (count > 5 && index === 0) return "";
  return count > 5 && index === count - 1 ? "-translate-x-full" : "-translate-x-1/2";
}

type Drawn = ChartProps & { top: number };

function Bars({ labels, series, format, top }: Drawn) {
  const { t } = useTranslation("app");
  const slot = WIDTH / labels.length;
  const width = slot * 0.72;
  return labels.map((label, index) => {
    let below = 0;
    const words = series
      .map((one) => t("labelled", { label: one.label, value: format(one.values[index] ?? 0) }))
      .join(" · ");
    return (
      <g key={label} className="transition-opacity hover:opacity-75">
        <title>{`${label} · ${words}`}</title>
        <rect x={index * slot} y={0} width={slot} height={HEIGHT} className="fill-transparent" />
        {series.map(({ label: name, values, tone = "accent" }) => {
          const height = ((values[index] ?? 0) / top) * HEIGHT;
          below += height;
          return (
            <rect
              key={name}
              x={index * slot + (slot - width) / 2}
              y={HEIGHT - below}
              width={width}
              height={height}
              className={fills[tone]}
            />
          );
        })}
      </g>
    );
  });
}

function Line({ labels, series, format, top }: Drawn) {
  const { t } = useTranslation("app");
  const slot = WIDTH / labels.length;
  const [{ values, label: name } = { values: [], label: "" }] = series;
  const points = values.map((value, index) =>
    value === null ? null : { x: (index + 0.5) * slot, y: HEIGHT - (value / top) * HEIGHT, value, index },
  );
  const path = points
    .map((point, index) => (point ? `${points[index - 1] ? "L" : "M"}${point.x} ${point.y}` : ""))
    .join("");
  return (
    <>
      <path d={path} vectorEffect="non-scaling-stroke" className="fill-none stroke-2 stroke-accent" />
      {points.map(
        (point) =>
          point && (
            <g key={labels[point.index]}>
              <title>{`${labels[point.index] ?? ""} · ${t("labelled", { label: name, value: format(point.value) })}`}</title>
              <rect x={point.index * slot} y={0} width={slot} height={HEIGHT} className="fill-transparent" />
              {/* A zero-length line with round ends is a dot that does not stretch with the chart. */}
              <path
                d={`M${point.x} ${point.y}h0`}
                strokeLinecap="round"
                strokeWidth={6}
                vectorEffect="non-scaling-stroke"
                className="stroke-accent"
              />
            </g>
          ),
      )}
    </>
  );
}

function Figures({ title, across, labels, series, format }: ChartProps) {
  const { t } = useTranslation("app");
  return (
    <details className="mt-2 text-sm">
      <summary className="w-fit rounded-sm text-muted hover:text-ink">
        {t("chart.table")}
        <span className="sr-only">: {title}</span>
      </summary>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={title}
        data-scroll-area=""
        className="scroll-area mt-2 max-h-64 rounded-md border border-line"
      >
        <table className="w-full border-collapse tabular-nums">
          <caption className="sr-only">{title}</caption>
          <thead className="sticky top-0 bg-raised text-muted">
            <tr>
              <th scope="col" className="px-3 py-1.5 text-left font-normal">
                {across}
              </th>
              {series.map(({ label }) => (
                <th key={label} scope="col" className="px-3 py-1.5 text-right font-normal">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label, index) => (
              <tr key={label} className="border-line border-t">
                <th scope="row" className="px-3 py-1 text-left font-normal">
                  {label}
                </th>
                {series.map(({ label: name, values }) => {
                  const value = values[index] ?? null;
                  return (
                    <td key={name} className="px-3 py-1 text-right">
                      {value === null ? "–" : format(value)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
