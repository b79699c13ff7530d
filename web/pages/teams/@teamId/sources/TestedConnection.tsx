// The end of a source's form: the result of the connection test, and the two buttons. Server only.
import { CircleAlert, CircleCheck, PlugZap } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "#translations";
import { useRender } from "#web/render/render-context.tsx";
import type { SourceType } from "#web/request/api-types.ts";
import { Button } from "#web/ui/Button.tsx";
import { type PreviewLine, SourceLines } from "./SourcePreview.tsx";
import { hasAgentSetting } from "./source-types.ts";

export interface TestedConnectionProps {
  /** Name of the form around them. */
  form?: string;
  type: SourceType;
  /** The button that saves the settings; first, so that Enter presses it. */
  children: ReactNode;
}

export function TestedConnection({ form = "", type, children }: TestedConnectionProps) {
  const { t } = useTranslation("sources");
  const { form: state } = useRender();
  const tested = state?.name === form ? (state.result as { lines: PreviewLine[] } | undefined) : undefined;
  const whole = tested?.lines.every(({ problem }) => problem === null) && tested.lines.length > 0;
  const Icon = whole ? CircleCheck : CircleAlert;
  return (
    <>
      {tested && (
        <section
          aria-labelledby="tested"
          tabIndex={-1}
          // biome-ignore lint/a11y/noAutofocus: the answer to the button that was just pressed
          autoFocus
          className="scroll-my-24 rounded-lg border border-line px-4 py-3 outline-offset-2"
        >
          <h2
            id="tested"
            className={`flex items-center gap-2 font-medium ${whole ? "text-good" : "text-careful"}`}
          >
            <Icon aria-hidden className="size-4 shrink-0" />
            {t(whole ? "test.works" : tested.lines.length > 0 ? "test.partly" : "test.nothing")}
          </h2>
          <p className="mt-0.5 mb-1 text-muted text-sm">
            {t(tested.lines.length > 0 ? "test.reads" : "preview.nothing")}
          </p>
          <SourceLines type={type.type} lines={tested.lines} />
        </section>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {children}
        <Button name="intent" value="test" icon={<PlugZap aria-hidden className="size-4" />}>
          {/* Agent chats have no service to connect to: their count comes from the database. */}
          {t(hasAgentSetting(type) ? "test.count" : "test.submit")}
        </Button>
      </div>
    </>
  );
}
