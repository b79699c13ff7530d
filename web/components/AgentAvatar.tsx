// An agent's picture, or the first letters of its name on a ground in its colour. Decoration: the name always stands beside it.
import { Avatar } from "./Avatar.tsx";

export interface AgentAvatarProps {
  name: string;
  /** Address of the picture; null where it has none. */
  picture: string | null;
}

export function AgentAvatar({ name, picture }: AgentAvatarProps) {
  if (!picture) return <Avatar name={name} shape="square" />;
  return (
    <img src={picture} alt="" width={32} height={32} className="size-8 shrink-0 rounded-sm object-cover" />
  );
}
