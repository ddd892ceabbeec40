package dev.millrace.api.stage;

/** A stage that receives its context after its properties are set and before {@code afterPropertiesSet}. */
public interface StageContextAware
{
    /**
     * Passes the context.
     *
     * @param context of this stage
     */
    void setStageContext(StageContext context);
}
