// The queries for GitHub's GraphQL API. Source: docs.github.com/graphql/reference.

/** Page sizes that fit one response, since GitHub counts every comment that might be returned; smaller ones for retries. */
export const perPage = { issues: [25, 5, 1], discussions: [10, 3, 1] } as const;
const commentsPerThread = 50;
const commentsPerDiscussion = 25;
const repliesPerComment = 25;

const page = "pageInfo { hasNextPage endCursor }";
const said = "author { login } body createdAt isMinimized";
const thread =
  "id number title body url createdAt updatedAt author { login } labels(first: 20) { nodes { name } }";
const reply = `nodes { ${said} } ${page}`;
const answer = `nodes { id isAnswer ${said} replies(first: ${repliesPerComment}) { ${reply} } } ${page}`;
const issue = `${thread} state comments(first: ${commentsPerThread}) { ${reply} }`;
const discussion = `${thread} category { name } comments(first: ${commentsPerDiscussion}) { ${answer} }`;

const inRepository = (variables: string, wanted: string) =>
  `query ($owner: String!, $name: String!${variables}) { repository(owner: $owner, name: $name) { ${wanted} } }`;

export const repository = inRepository(
  "",
  "url nameWithOwner defaultBranchRef { name target { oid ... on Commit { tree { oid } } } }",
);

/** The blob at the head of the default branch, its mode, and when its path was last changed. */
export const file = inRepository(
  ", $at: String!, $path: String!",
  `nameWithOwner object(expression: $at) { ... on Blob { oid byteSize isBinary isTruncated text } }
   defaultBranchRef { target { ... on Commit {
     file(path: $path) { mode } history(first: 1, path: $path) { nodes { committedDate } } } } }`,
);

/** Sorted by creation, except for changed discussions, so that changes during the listing do not reorder it. */
export const threads = {
  issues: {
    all: inRepository(
      ", $first: Int!, $after: String",
      `page: issues(first: $first, after: $after, orderBy: { field: CREATED_AT, direction: ASC }) { nodes { ${issue} } ${page} }`,
    ),
    changed: inRepository(
      ", $first: Int!, $after: String, $since: DateTime!",
      `page: issues(first: $first, after: $after, filterBy: { since: $since }, orderBy: { field: CREATED_AT, direction: ASC }) { nodes { ${issue} } ${page} }`,
    ),
    one: inRepository(", $number: Int!", `thread: issue(number: $number) { ${issue} }`),
    count: inRepository("", "counted: issues { totalCount }"),
  },
  discussions: {
    all: inRepository(
      ", $first: Int!, $after: String",
      `page: discussions(first: $first, after: $after, orderBy: { field: CREATED_AT, direction: ASC }) { nodes { ${discussion} } ${page} }`,
    ),
    /** Discussions have no filter by time: sorted by last change, latest first. */
    changed: inRepository(
      ", $first: Int!, $after: String",
      `page: discussions(first: $first, after: $after, orderBy: { field: UPDATED_AT, direction: DESC }) { nodes { ${discussion} } ${page} }`,
    ),
    one: inRepository(", $number: Int!", `thread: discussion(number: $number) { ${discussion} }`),
    count: inRepository("", "counted: discussions { totalCount }"),
  },
};

const fewest = "number title url";
/** The list query without content, to identify a thread that is too large by itself. */
export const bare = (query: string): string => query.replace(issue, fewest).replace(discussion, fewest);

const ofNode = (wanted: string) => `query ($id: ID!, $after: String!) { node(id: $id) { ${wanted} } }`;

/** Comments after the first page of a thread, and replies after the first page of a comment. */
export const more = {
  issues: ofNode(`... on Issue { page: comments(first: 100, after: $after) { ${reply} } }`),
  discussions: ofNode(
    `... on Discussion { page: comments(first: ${commentsPerDiscussion}, after: $after) { ${answer} } }`,
  ),
  replies: ofNode(`... on DiscussionComment { page: replies(first: 100, after: $after) { ${reply} } }`),
};
