package dev.millrace.cql.processor;

/** Codes of the problems that a CQL processor reports itself; those of rules come from the language. */
final class ProcessorErrors
{
    /** A cache lacks a value type or key, or its name is taken: correct its declaration. */
    static final String CACHE_NOT_USABLE = "CQL-8001";

    /** A value of a cache does not fit its declared type: correct the loader or the type. */
    static final String CACHE_VALUE_UNREADABLE = "CQL-8002";

    /** More workers asked for than a processor can have: ask for fewer. */
    static final String TOO_MANY_WORKERS = "CQL-8003";

    /** A planned pipeline could not be compiled, which is a bug of the engine: report it with the log. */
    static final String NOT_COMPILED = "CQL-8004";

    /** A compiled pipeline or a stage below it failed on a batch; the trace in the log tells which. */
    static final String PIPELINE_FAILED = "CQL-8101";

    /** Rows reached a processor that had stopped: send them again when the application runs. */
    static final String STOPPED = "CQL-8102";

    private ProcessorErrors()
    {
    }
}
