// Shapes of /v1 answers that the web server reads.

export interface List<Row> {
  data: Row[];
  page: number;
  perPage: number;
  total: number;
}

export interface User {
  id: string;
  name: string;
  email: string;
  locale: "en" | "fr";
  isAdmin: boolean;
}

export interface Team {
  id: string;
  name: string;
  codename: string;
  role: string;
  permissions: string[];
  invitation?: { status: string; roleId: string; invitedBy: string };
}

export interface Agent {
  id: string;
  teamId: string;
  name: string;
  description: string;
  instructions?: string;
  greeting: string;
  suggestedPrompts: string[];
  model: string;
  temperature: number;
  visibility: "private" | "public";
  knowledgeIds: string[];
  retrieval: { topK: number; minScore: number; mode: "hybrid" | "vector" | "text" };
  createdAt: string;
  updatedAt: string;
}

export interface Knowledge {
  id: string;
  teamId: string;
  name: string;
  description: string;
  language: "en" | "fr" | "simple";
  sourceIds: string[];
  status: string;
  documentsCount: number;
  chunksCount: number;
  indexedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

/** A list by cursor: lastKey leads to what follows, null at the end. */
export interface CursorList<Row> {
  data: Row[];
  lastKey: string | null;
}

export interface Source {
  id: string;
  type: string;
  name: string;
  status: string;
  documentsCount: number;
  syncedAt: string | null;
  error: string | null;
}

export interface Role {
  id: string;
  name: string;
  codename: string;
  permissions: string[];
  system: boolean;
}
