package dev.millrace.api.stage;

/** Creates event beans of one provider; registered like an {@link AdapterFactory}. */
public interface EventBeanFactory
{
    /** Service property that names the provider. */
    String PROVIDER_PROPERTY = "type";

    /**
     * Creates an event bean.
     *
     * @return a new event bean
     */
    Object create();
}
