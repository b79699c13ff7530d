// The content of the widget's frame: a chat with one agent, in its colour; or that there is none.

import type { WidgetChatProps } from "#web/islands/WidgetChat.tsx";
import { Island } from "#web/render/island.tsx";
import { useData } from "#web/render/render-context.tsx";
import { Branded } from "../../chats/Branded.tsx";
import { shownName } from "../../chats/shown-name.ts";
import type { WidgetData } from "./+data.ts";
import { NoChat } from "./NoChat.tsx";

export function Page() {
  const data = useData<WidgetData>();
  if (!data.agent) return <NoChat failure={data.failure} />;
  const { agent } = data;
  const { id, greeting, suggestedPrompts, appearance, avatar } = agent;
  return (
    <Branded color={appearance.color}>
      <Island<WidgetChatProps>
        name="WidgetChat"
        props={{ agent: { id, name: shownName(agent), greeting, suggestedPrompts }, picture: avatar }}
      />
    </Branded>
  );
}
