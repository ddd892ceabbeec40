package dev.millrace.cql.processor;

/** Codes of the problems that a CQL processor reports itself; those of rules come from the language. */
public final class ProcessorErrors
{
    /** A cache lacks a value type or key, or its name is taken: correct its declaration. */
    static final String CACHE_NOT_USABLE = "CQL-8001";

    /** A value of a cache does not fit its declared type: correct the loader or the type. */
    static final String CACHE_VALUE_UNREADABLE = "CQL-8002";

    /** More workers asked for than a processor can have: ask for fewer. */
    static final String TOO_MANY_WORKERS = "CQL-8003";

    /** A planned pipeline could not be compiled, which is a bug of the engine: report it with the log. */
    static final String NOT_COMPILED = "CQL-8004";

    /** A function of the application cannot be called: correct its declaration or its class. */
    static final String FUNCTION_NOT_USABLE = "CQL-8005";

    /** A window of the application cannot be used, or not with these arguments: correct the rule or the class. */
    static final String WINDOW_NOT_USABLE = "CQL-8006";

    /** The name of a table is taken or cannot be one: correct its declaration. */
    static final String TABLE_NOT_USABLE = "CQL-8007";

    /** A view that is to go is read by other rules: remove or stop those first. */
    static final String VIEW_IS_READ = "CQL-8010";

    /** Rows inside the processor did not get out for a change of rules: a stage below blocks. */
    static final String BUSY = "CQL-8012";

    /** A rule keeps state that is not apart by the partitions of a channel that is shared out among members. */
    static final String STATE_NOT_APART = "CQL-8013";

    /** A compiled pipeline or a stage below it failed on a batch; the trace in the log tells which. */
    static final String PIPELINE_FAILED = "CQL-8101";

    /** Rows reached a processor that had stopped: send them again when the application runs. */
    static final String STOPPED = "CQL-8102";

    /** The loader of a cache failed for a key: the text has its message. */
    static final String CACHE_NOT_LOADED = "CQL-8104";

    /** A database did not answer, or not with what was declared: the text has its message. */
    static final String TABLE_FAILED = "CQL-8103";

    /** A file of kept classes is damaged, or of something else: nothing; it is written anew. */
    public static final String CLASSES_DAMAGED = "CQL-8105";

    /** Generated classes cannot be kept: correct what the text names; until then each start compiles the rules. */
    public static final String CLASSES_NOT_KEPT = "CQL-8106";

    private ProcessorErrors()
    {
    }
}
