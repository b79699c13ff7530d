// A month of days to select a range from: always 42 cells, so that nothing below it moves. For islands
// (react-day-picker); arrow keys, Page Up and Page Down, Home and End move between days.
import { ChevronLeft, ChevronRight } from "lucide-react";
import { type DateRange, DayPicker } from "react-day-picker";
import { useTranslation } from "#translations";

/** The first day of the week by language. */
const weekStarts: Record<string, 0 | 1 | 6> = { sunday: 0, monday: 1, saturday: 6 };

export interface CalendarProps {
  value: DateRange | undefined;
  onChange: (value: DateRange | undefined) => void;
  /** The last selectable day. */
  last?: Date;
}

const classes = {
  root: "relative w-fit",
  months: "relative",
  month: "space-y-2",
  nav: "absolute inset-x-0 top-0 flex justify-between",
  button_previous: "icon-button",
  button_next: "icon-button",
  month_caption: "flex h-8 items-center justify-center font-medium",
  month_grid: "border-collapse",
  weekday: "h-8 w-9 font-normal text-faint text-xs",
  day: "h-9 w-9 p-0 text-center tabular-nums",
  day_button:
    "grid size-9 place-items-center rounded-md hover:bg-hover disabled:text-faint disabled:hover:bg-transparent",
  today: "font-semibold text-accent-ink",
  outside: "text-faint",
  disabled: "opacity-50",
  selected: "",
  range_middle: "bg-accent-soft [&>button]:rounded-none",
  range_start: "rounded-l-md bg-accent-soft [&>button]:bg-accent [&>button]:text-on-accent",
  range_end: "rounded-r-md bg-accent-soft [&>button]:bg-accent [&>button]:text-on-accent",
};

export function Calendar({ value, onChange, last }: CalendarProps) {
  const { t, i18n } = useTranslation("calendar");
  const say = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(i18n.language, options);
    return (date: Date) => format.format(date);
  };
  const month = say({ month: "long", year: "numeric" });
  const day = say({ dateStyle: "full" });
  return (
    <DayPicker
      mode="range"
      autoFocus
      fixedWeeks
      showOutsideDays
      weekStartsOn={weekStarts[t("firstWeekday")] ?? 0}
      selected={value}
      onSelect={onChange}
      defaultMonth={value?.to ?? value?.from ?? last}
      endMonth={last && new Date(last.getFullYear(), last.getMonth() + 1)}
      disabled={last && { after: last }}
      classNames={classes}
      formatters={{
        formatCaption: month,
        formatWeekdayName: say({ weekday: "short" }),
        formatDay: say({ day: "numeric" }),
      }}
      labels={{
        labelGrid: month,
        labelDayButton: day,
        labelGridcell: day,
        labelWeekday: say({ weekday: "long" }),
        labelNav: () => t("months"),
        labelPrevious: () => t("previousMonth"),
        labelNext: () => t("nextMonth"),
      }}
      components={{
        Chevron: ({ orientation }) =>
          orientation === "left" ? (
            <ChevronLeft aria-hidden className="size-4" />
          ) : (
            <ChevronRight aria-hidden className="size-4" />
          ),
      }}
    />
  );
}
