package dev.millrace.api.stage;

/** A stage that wants its context; called after its properties are set and before {@code afterPropertiesSet}. */
public interface StageContextAware
{
    /**
     * Gives the context.
     *
     * @param context of this stage
     */
    void setStageContext(StageContext context);
}
