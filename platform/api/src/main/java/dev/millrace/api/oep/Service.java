package dev.millrace.api.oep;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a public setter that receives a service when the bean is created, after its properties are set: the event types
 * of the application if the parameter is an {@link EventTypeRepository}, otherwise an OSGi service. If the service is
 * not available, the deployment fails with the name of the setter.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Service
{
    /**
     * Returns the interface of the service.
     *
     * @return {@code Object} for the type of the setter's parameter
     */
    Class<?> serviceType() default Object.class;

    /**
     * Returns the filter that selects the service.
     *
     * @return OSGi filter, or the empty string for any service of the type
     */
    String filter() default "";
}
