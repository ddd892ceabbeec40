package dev.millrace.cql.replay;

/** Codes of the problems of a replay. Stable, because users search for them. */
final class ReplayErrorCode
{
    /** The domain has no such application, or its files cannot be read: name a deployed application. */
    static final String APPLICATION = "CMD-0240";
    /** The application has no such processor, or it is not durable: name a durable one. */
    static final String PROCESSOR = "CMD-0241";
    /** The rules read a column, channel or cache that is not recorded: record it first. */
    static final String NOT_RECORDED = "CMD-0242";
    /** The rules need rows of several threads in one: keep their ordering and partition expression. */
    static final String OTHER_THREADS = "CMD-0243";
    /** The file of changed rules cannot be read: correct its path. */
    static final String RULES_FILE = "CMD-0244";
    /** An application to validate has no assembly file: name a bundle or the directory of a project. */
    static final String NO_ASSEMBLY = "CMD-0269";
    /** The Java code of a project to validate is not compiled: compile it first. */
    static final String NOT_COMPILED = "CMD-0270";

    private ReplayErrorCode()
    {
    }
}
