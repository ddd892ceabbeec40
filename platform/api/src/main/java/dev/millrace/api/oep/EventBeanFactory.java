package dev.millrace.api.oep;

/** Creates event beans of one provider. */
public interface EventBeanFactory extends dev.millrace.api.stage.EventBeanFactory
{
    @Override
    EventBean create();
}
