package dev.millrace.api.stage;

/** A stage that wants to know when its properties are set. */
public interface InitializingBean
{
    /**
     * Called once after all properties were set.
     *
     * @throws Exception when the properties do not fit; deployment fails with its message
     */
    void afterPropertiesSet() throws Exception;
}
