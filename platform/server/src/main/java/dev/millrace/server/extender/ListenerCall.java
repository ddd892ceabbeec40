package dev.millrace.server.extender;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import org.osgi.framework.ServiceReference;

/** Calls the bind or unbind method of a listener in one of the three forms of Spring DM. */
final class ListenerCall
{
    private ListenerCall()
    {
    }

    static void invoke(
        final Object bean, final String name, final ServiceReference<?> reference, final Object service)
        throws ReflectiveOperationException
    {
        for (final Method method : bean.getClass().getMethods())
        {
            final Class<?>[] types = method.getParameterTypes();
            if (!method.getName().equals(name) || types.length == 0 || types.length > 2)
            {
                continue;
            }
            // For a public method of a class that is not public.
            method.trySetAccessible();
            if (types.length == 1 && types[0] == ServiceReference.class)
            {
                method.invoke(bean, reference);
                return;
            }
            if (types[0].isInstance(service) && types.length == 1)
            {
                method.invoke(bean, service);
                return;
            }
            if (types[0].isInstance(service) && types[1].isAssignableFrom(HashMap.class))
            {
                method.invoke(bean, service, properties(reference));
                return;
            }
        }
        throw new NoSuchMethodException(bean.getClass().getName() + '.' + name);
    }

    private static Map<String, Object> properties(final ServiceReference<?> reference)
    {
        final Map<String, Object> properties = new HashMap<>();
        for (final String key : reference.getPropertyKeys())
        {
            properties.put(key, reference.getProperty(key));
        }
        return properties;
    }
}
