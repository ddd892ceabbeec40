package dev.millrace.cql.processor.problem;

/** Error codes of the CQL processor; those of rules are defined in the language module. */
public final class ProcessorErrorCode
{
    /** A cache lacks a value type or key, or its name is already used: correct its declaration. */
    public static final String CACHE_NOT_USABLE = "CQL-8001";

    /** A value of a cache does not match its declared type: correct the loader or the type. */
    public static final String CACHE_VALUE_UNREADABLE = "CQL-8002";

    /** More workers requested than a processor can have: request fewer. */
    public static final String TOO_MANY_WORKERS = "CQL-8003";

    /** A planned pipeline could not be compiled, which is an internal error: report it with the log. */
    public static final String NOT_COMPILED = "CQL-8004";

    /** A function of the application cannot be called: correct its declaration or its class. */
    public static final String FUNCTION_NOT_USABLE = "CQL-8005";

    /** A window of the application cannot be used, or not with these arguments: correct the rule or the class. */
    public static final String WINDOW_NOT_USABLE = "CQL-8006";

    /** The name of a table is already used or not valid: correct its declaration. */
    public static final String TABLE_NOT_USABLE = "CQL-8007";

    /** A view to be removed is read by other rules: remove or stop those first. */
    public static final String VIEW_IS_READ = "CQL-8010";

    /** Rows in the processor were not emitted in time for a change of rules: a downstream stage blocks. */
    public static final String BUSY = "CQL-8012";

    /** A rule keeps state that is not separable by the partitions of a channel that is partitioned across members. */
    public static final String STATE_NOT_APART = "CQL-8013";

    /** A compiled pipeline or a downstream stage failed on a batch; the stack trace in the log identifies it. */
    public static final String PIPELINE_FAILED = "CQL-8101";

    /** Rows reached a stopped processor: send them again when the application runs. */
    public static final String STOPPED = "CQL-8102";

    /** The loader of a cache failed for a key: the text contains its message. */
    public static final String CACHE_NOT_LOADED = "CQL-8104";

    /** A database did not respond, or its response does not match the declaration: the text contains its message. */
    public static final String TABLE_FAILED = "CQL-8103";

    /** A class cache file is damaged, or is another kind of file: none; it is written again. */
    public static final String CLASSES_DAMAGED = "CQL-8105";

    /**
     * Generated classes cannot be cached: correct the problem in the text; until then each start compiles the rules.
     */
    public static final String CLASSES_NOT_KEPT = "CQL-8106";

    /** Rows of a durable application could not be appended to its journal: the text contains the cause. */
    public static final String NOT_JOURNALED = "CQL-8107";

    /**
     * The stored state of a durable application belongs to rules that it cannot run, or to other threads: deploy what
     * they need, or delete the state.
     */
    public static final String OTHER_RULES = "CQL-8108";

    /** A rule has state that cannot be stored, so that it cannot run in a durable application: change the rule. */
    public static final String NOT_DURABLE = "CQL-8109";

    private ProcessorErrorCode()
    {
    }
}
