package dev.millrace.api.oep;

/** A stage that receives its id before {@code afterPropertiesSet}. */
public interface StageIdentityAware
{
    /**
     * Passes the id.
     *
     * @param stageIdentity id from the assembly file
     */
    void setStageIdentity(String stageIdentity);
}
