package dev.millrace.api.lifecycle;

/** A stage that is notified when its properties are set. */
public interface InitializingBean
{
    /**
     * Called once after all properties were set.
     *
     * @throws Exception when the properties are invalid; deployment fails with its message
     */
    void afterPropertiesSet() throws Exception;
}
