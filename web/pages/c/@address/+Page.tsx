// An agent's page at its short address.
import { Page as AgentPage } from "../../chats/@id/+Page.tsx";

export const Page = () => <AgentPage />;
