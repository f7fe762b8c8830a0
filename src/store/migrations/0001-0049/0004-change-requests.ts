/** Change requests, reviews, comments and events. Frozen: a later change is a later migration. */
export default {
  number: 4,
  name: 'change requests',
  both: `
    create table "changeRequest" (
      "id" {text} primary key, "spaceId" {text} not null references "space" ("id") on delete cascade, "number" integer not null,
      "status" {text} not null, "subject" {text} not null, "createdBy" {text} not null, "createdAt" {text} not null,
      "updatedAt" {text} not null, "revisionId" {text} not null, "revisionInitial" {text} not null,
      "revisionMergedAncestor" {text}, "revisionMerged" {text}, "mergedBy" {text}, "mergedAt" {text}, "comments" integer not null,
      unique ("spaceId", "number")
    );
    create index "changeRequest_updated" on "changeRequest" ("spaceId", "updatedAt", "id");
    create index "changeRequest_created" on "changeRequest" ("spaceId", "createdAt", "id");

    create table "contributor" (
      "changeRequestId" {text} not null references "changeRequest" ("id") on delete cascade, "userId" {text} not null,
      "firstAt" {text} not null, primary key ("changeRequestId", "userId")
    );
    create index "contributor_user" on "contributor" ("userId");
    create table "review" (
      "id" {text} primary key, "changeRequestId" {text} not null references "changeRequest" ("id") on delete cascade,
      "reviewerId" {text} not null, "status" {text} not null, "comment" {text}, "revisionId" {text} not null, "createdAt" {text} not null
    );
    create index "review_changeRequest" on "review" ("changeRequestId", "createdAt", "id");
    create table "requestedReviewer" (
      "changeRequestId" {text} not null references "changeRequest" ("id") on delete cascade, "userId" {text} not null,
      "requestedBy" {text} not null, "requestedAt" {text} not null, primary key ("changeRequestId", "userId")
    );
    create index "requestedReviewer_user" on "requestedReviewer" ("userId");

    create table "comment" (
      "id" {text} primary key, "spaceId" {text} not null references "space" ("id") on delete cascade,
      "changeRequestId" {text} references "changeRequest" ("id") on delete cascade, "pageId" {text}, "nodeId" {text},
      "nodePreview" {text}, "nodeMark" {text}, "revisionId" {text} not null, "markdown" {text} not null, "document" {text} not null,
      "postedBy" {text} not null, "postedAt" {text} not null, "editedAt" {text}, "status" {text} not null, "resolvedAt" {text},
      "resolvedBy" {text}, "replies" integer not null
    );
    create index "comment_posted" on "comment" ("spaceId", "changeRequestId", "postedAt", "id");
    create index "comment_page" on "comment" ("spaceId", "pageId");
    create table "commentReply" (
      "id" {text} primary key, "commentId" {text} not null references "comment" ("id") on delete cascade, "markdown" {text} not null,
      "document" {text} not null, "postedBy" {text} not null, "postedAt" {text} not null, "editedAt" {text}
    );
    create index "commentReply_posted" on "commentReply" ("commentId", "postedAt", "id");
    create table "reaction" (
      "targetId" {text} not null, "emoji" {text} not null, "userId" {text} not null, "commentId" {text} not null
        references "comment" ("id") on delete cascade, "reactedAt" {text} not null, primary key ("targetId", "emoji", "userId")
    );
    create index "reaction_comment" on "reaction" ("commentId");

    create table "event" (
      "id" {text} primary key, "organizationId" {text} not null references "organization" ("id") on delete cascade,
      "action" {text} not null, "actorId" {text} not null, "targetType" {text} not null, "targetId" {text} not null,
      "data" {text} not null, "occurredAt" {text} not null
    );
    create index "event_occurred" on "event" ("organizationId", "occurredAt", "id");
  `,
}
