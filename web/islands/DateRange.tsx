// A date range in a list's filter form: two plain date fields before hydration and without JavaScript; with it a button
// that opens a calendar, and submits the form when a range is selected.
import * as Popover from "@radix-ui/react-popover";
import { CalendarDays } from "lucide-react";
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "#translations";
import { dayOf, dayText, lastDays } from "../client/days.ts";
import { Button } from "../ui/Button.tsx";
import { Input } from "../ui/Input.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

export interface DateRangeProps {
  /** What the dates are of, such as "Started". */
  label: string;
  /** Dates such as 2026-03-31; null where the range is open. */
  start: string | null;
  end: string | null;
  /** The last selectable day. */
  last: string;
  /** Whether the range can be cleared. */
  clearable?: boolean;
}

DateRange.namespaces = ["calendar"];

const Calendar = lazy(() => import("../ui/Calendar.tsx").then(({ Calendar }) => ({ default: Calendar })));
const PRESETS = [7, 30, 90, 365];

export function DateRange(props: DateRangeProps) {
  const [live, setLive] = useState(false);
  const plain = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const dates = [...(plain.current?.querySelectorAll("input") ?? [])];
    // The plain fields stay for a reader who is using them already.
    const isInUse = dates.some((date) => date === document.activeElement || date.value !== date.defaultValue);
    setLive(!isInUse);
  }, []);
  return live ? <RangePicker {...props} /> : <PlainDates {...props} ref={plain} />;
}

function PlainDates({
  label,
  start,
  end,
  last,
  ref,
}: DateRangeProps & { ref: RefObject<HTMLFieldSetElement | null> }) {
  const { t } = useTranslation("calendar");
  return (
    <fieldset ref={ref} className="flex items-center gap-1.5 max-sm:w-full">
      <legend className="sr-only">{label}</legend>
      {(["dateStart", "dateEnd"] as const).map((name) => (
        <Input
          key={name}
          type="date"
          name={name}
          max={last}
          aria-label={t(name)}
          defaultValue={(name === "dateStart" ? start : end) ?? ""}
          className="w-36! max-sm:flex-1"
        />
      ))}
    </fieldset>
  );
}

interface Range {
  from: Date | undefined;
  to: Date | undefined;
}

/** The button with the submitted range, its calendar, and the hidden fields that the form sends. */
function RangePicker({ label, start, end, last, clearable }: DateRangeProps) {
  const rangeText = useRangeText();
  const submitted: Range = { from: dayOf(start), to: dayOf(end) };
  const [open, setOpen] = useState(false);
  const [range, setRange] = useState(submitted);
  const fields = useRef<HTMLSpanElement>(null);

  function choose(chosen: Range) {
    setRange(chosen);
    setOpen(false);
    const [first, second] = fields.current?.querySelectorAll("input") ?? [];
    if (!first || !second) return;
    // Set directly: the form is submitted before React would have updated the fields.
    first.value = chosen.from ? dayText(chosen.from) : "";
    second.value = chosen.to ? dayText(chosen.to) : "";
    first.form?.requestSubmit();
  }

  return (
    <Popover.Root
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        if (!next) setRange(submitted);
      }}
    >
      <span ref={fields} hidden>
        <input type="hidden" name="dateStart" defaultValue={start ?? ""} />
        <input type="hidden" name="dateEnd" defaultValue={end ?? ""} />
      </span>
      <Popover.Trigger asChild>
        <Button
          type="button"
          variant="field"
          // The width of the two fields that it replaces.
          className="h-9 w-73.5 justify-start font-normal max-sm:w-full"
          icon={<CalendarDays aria-hidden className="size-4 text-muted" />}
        >
          <span className="sr-only">{label}: </span>
          {rangeText(submitted)}
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={12}
          aria-label={label}
          className="z-40 max-w-[calc(100vw-1.5rem)] rounded-md border border-line bg-raised p-3 text-base shadow-popover"
        >
          <div className="flex flex-wrap gap-3">
            <Presets last={dayOf(last)} onChoose={choose} />
            <Suspense fallback={<Skeleton className="h-76 w-63" />}>
              <Calendar
                value={range.from && { from: range.from, to: range.to }}
                last={dayOf(last)}
                onChange={(next) => setRange({ from: next?.from, to: next?.to })}
              />
            </Suspense>
          </div>
          <RangeFoot range={range} clearable={clearable} onChoose={choose} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface PresetsProps {
  last: Date | undefined;
  onChoose(range: Range): void;
}

function Presets({ last, onChoose }: PresetsProps) {
  const { t } = useTranslation("calendar");
  return (
    <ul className="flex flex-wrap content-start gap-1 sm:w-32 sm:flex-col">
      {PRESETS.map((count) => (
        <li key={count}>
          <Button
            type="button"
            variant="ghost"
            size="sm"
            className="w-full justify-start font-normal"
            onClick={() => onChoose(lastDays(last ?? new Date(), count))}
          >
            {t("lastDays", { count })}
          </Button>
        </li>
      ))}
    </ul>
  );
}

interface RangeFootProps {
  range: Range;
  clearable: boolean | undefined;
  onChoose(range: Range): void;
}

/** The range selected so far, in words, and the buttons that submit it or none. */
function RangeFoot({ range, clearable, onChoose }: RangeFootProps) {
  const { t } = useTranslation("calendar");
  const rangeText = useRangeText();
  return (
    <div className="mt-3 flex items-center justify-between gap-2 border-line border-t pt-3">
      <p aria-live="polite" className="text-muted text-sm">
        {rangeText(range)}
      </p>
      <div className="flex gap-2">
        {clearable && (
          <Button
            type="button"
            size="sm"
            variant="ghost"
            onClick={() => onChoose({ from: undefined, to: undefined })}
          >
            {t("clear")}
          </Button>
        )}
        <Button
          type="button"
          size="sm"
          variant="primary"
          disabled={!range.from || !range.to}
          onClick={() => onChoose(range)}
        >
          {t("apply")}
        </Button>
      </div>
    </div>
  );
}

/** Formats a range in the reader's language. */
function useRangeText(): (range: Range) => string {
  const { t, i18n } = useTranslation("calendar");
  const format = new Intl.DateTimeFormat(i18n.language, { dateStyle: "medium" });
  return ({ from, to }) => {
    if (from && to) return format.formatRange(from, to);
    if (from) return t("since", { day: format.format(from) });
    return to ? t("until", { day: format.format(to) }) : t("any");
  };
}
