// The front page: what the product does in one sentence, the product itself to be asked, and one way in.
import { ArrowRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/Button.tsx";
import type { ChatProps } from "../../islands/Chat.tsx";
import { Island } from "../../renderer/island.tsx";
import { useData, useRequest } from "../../renderer/render-context.tsx";
import type { HomeData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("home");
  const { user } = useRequest();
  const { agent } = useData<HomeData>();
  return (
    <div className="grid grid-cols-1 items-center gap-x-16 gap-y-12 py-10 lg:min-h-[70vh] lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:py-6">
      <div>
        <h1 className="font-semibold text-4xl tracking-tight">{t("title")}</h1>
        <p className="mt-5 max-w-md text-lg text-muted">{t("intro")}</p>
        <Button href={user ? "/dashboard" : "/register"} variant="primary" size="lg" className="mt-8">
          {t(user ? "continue" : "start")}
          <ArrowRight aria-hidden className="size-4" />
        </Button>
      </div>
      <section aria-label={t("example")}>
        {agent ? (
          <div className="flex h-[30rem] flex-col rounded-lg border border-line">
            <Island<ChatProps>
              name="Chat"
              props={{
                agent: { ...agent, greeting: t("invite", { agentName: agent.name }) },
                chatId: null,
                channel: "web",
                messages: [],
                address: null,
                sourceAddress: null,
              }}
            />
          </div>
        ) : (
          <p className="rounded-md border border-line p-5 text-muted">{t("noExample")}</p>
        )}
      </section>
    </div>
  );
}
