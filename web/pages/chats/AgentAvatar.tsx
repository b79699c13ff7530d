// An agent's picture, or the initials of its name on its colour. Decorative: the name is always next to it.
import { Avatar } from "../../ui/Avatar.tsx";

export interface AgentAvatarProps {
  name: string;
  /** Address of the picture; null when it has none. */
  picture: string | null;
}

export function AgentAvatar({ name, picture }: AgentAvatarProps) {
  if (!picture) return <Avatar name={name} shape="square" />;
  return (
    <img src={picture} alt="" width={32} height={32} className="size-8 shrink-0 rounded-sm object-cover" />
  );
}
