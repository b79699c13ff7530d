// The one header of a chat with an agent, on its page, in the widget and in their preview: the agent and its actions.
import type { ReactNode } from "react";
import { AgentAvatar } from "./AgentAvatar.tsx";

export interface ChatTopProps {
  name: string;
  picture: string | null;
  /** The line below the name: the agent's description, or the chat's title. */
  line?: ReactNode;
  /** True for a preview: nothing in it can be used, and its name is no heading. */
  isPicture?: boolean;
  children?: ReactNode;
}

export function ChatTop({ name, picture, line, isPicture, children }: ChatTopProps) {
  const Name = isPicture ? "p" : "h1";
  return (
    <header className="@container flex min-h-13 shrink-0 flex-wrap items-center gap-x-1 border-line border-b py-1.5 pr-2 pl-3">
      <div className="flex min-w-0 flex-[1_1_6rem] items-center gap-2.5">
        <AgentAvatar name={name} picture={picture} />
        <div className="min-w-0 flex-1">
          <Name dir="auto" className="truncate text-left font-medium leading-5">
            {name}
          </Name>
          {line}
        </div>
      </div>
      {children}
    </header>
  );
}
