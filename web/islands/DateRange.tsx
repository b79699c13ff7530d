// A date range in a list's filter form: two plain date fields before hydration and without JavaScript; with it a button
// that opens a calendar, and submits the form when a range is selected.
import * as Popover from "@radix-ui/react-popover";
import { CalendarDays } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
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

export function DateRange({ label, start, end, last, clearable }: DateRangeProps) {
  const { t, i18n } = useTranslation("calendar");
  const [live, setLive] = useState(false);
  const [open, setOpen] = useState(false);
  const [range, setRange] = useState(() => ({ from: dayOf(start), to: dayOf(end) }));
  const fields = useRef<HTMLSpanElement>(null);
  const plain = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const dates = [...(plain.current?.querySelectorAll("input") ?? [])];
    // The plain fields stay for a reader who is using them already.
    const isInUse = dates.some((date) => date === document.activeElement || date.value !== date.defaultValue);
    setLive(!isInUse);
  }, []);

  if (!live) {
    return (
      <fieldset ref={plain} className="flex items-center gap-1.5 max-sm:w-full">
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

  const lastDay = dayOf(last);
  const format = new Intl.DateTimeFormat(i18n.language, { dateStyle: "medium" });
  const formatRange = (from: Date | undefined, to: Date | undefined) =>
    from && to
      ? format.formatRange(from, to)
      : from
        ? t("since", { day: format.format(from) })
        : to
          ? t("until", { day: format.format(to) })
          : t("any");

  function choose(from: Date | undefined, to: Date | undefined) {
    setRange({ from, to });
    setOpen(false);
    const [first, second] = fields.current?.querySelectorAll("input") ?? [];
    if (!first || !second) return;
    // Set directly: the form is submitted before React would have updated the fields.
    first.value = from ? dayText(from) : "";
    second.value = to ? dayText(to) : "";
    first.form?.requestSubmit();
  }

  return (
    <Popover.Root
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        if (!next) setRange({ from: dayOf(start), to: dayOf(end) });
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
          {formatRange(dayOf(start), dayOf(end))}
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
            <ul className="flex flex-wrap content-start gap-1 sm:w-32 sm:flex-col">
              {PRESETS.map((count) => (
                <li key={count}>
                  <Button
                    type="button"
                    variant="ghost"
                    size="sm"
                    className="w-full justify-start font-normal"
                    onClick={() => {
                      const { from, to } = lastDays(lastDay ?? new Date(), count);
                      choose(from, to);
                    }}
                  >
                    {t("lastDays", { count })}
                  </Button>
                </li>
              ))}
            </ul>
            <Suspense fallback={<Skeleton className="h-76 w-63" />}>
              <Calendar
                value={range.from && { from: range.from, to: range.to }}
                last={lastDay}
                onChange={(next) => setRange({ from: next?.from, to: next?.to })}
              />
            </Suspense>
          </div>
          <div className="mt-3 flex items-center justify-between gap-2 border-line border-t pt-3">
            <p aria-live="polite" className="text-muted text-sm">
              {formatRange(range.from, range.to)}
            </p>
            <div className="flex gap-2">
              {clearable && (
                <Button type="button" size="sm" variant="ghost" onClick={() => choose(undefined, undefined)}>
                  {t("clear")}
                </Button>
              )}
              <Button
                type="button"
                size="sm"
                variant="primary"
                disabled={!range.from || !range.to}
                onClick={() => choose(range.from, range.to)}
              >
                {t("apply")}
              </Button>
            </div>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
