// The widget's frame without a chat: why, and a button that closes the widget.
import { X } from "lucide-react";
import { useTranslation } from "#translations";
import { CLOSE_WIDGET } from "#web/render/inline-scripts.ts";
import { useRequest } from "#web/render/render-context.tsx";
import type { ApiFailure } from "#web/request/api-failure.ts";
import { describeFailure } from "#web/request/describe-failure.ts";
import { Button } from "#web/ui/Button.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { SupportText } from "#web/ui/SupportText.tsx";

/** @param props.failure why the agent could not be loaded; null when there is no such agent for visitors */
export function NoChat({ failure }: { failure: ApiFailure | null }) {
  const { t } = useTranslation("chat");
  const request = useRequest();
  const { url } = request;
  const words = failure
    ? describeFailure(failure, t, request)
    : { title: t("gone"), description: t("goneText") };
  return (
    <>
      <div className="flex justify-end p-1.5">
        <IconButton label={t("widget:close")} data-close>
          <X aria-hidden className="size-4" />
        </IconButton>
      </div>
      <div className="grid flex-1 place-content-center px-6 pb-20 text-center">
        <h1 className="font-medium text-lg">{words.title}</h1>
        <p className="mt-1 text-muted">
          <SupportText text={words.description} />
        </p>
        {failure && (
          <p className="mt-4">
            <Button href={url.pathname + url.search} data-reload>
              {t("app:tryAgain")}
            </Button>
          </p>
        )}
      </div>
      <script
        // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant, which the policy names by its hash
        dangerouslySetInnerHTML={{ __html: CLOSE_WIDGET }}
      />
    </>
  );
}
