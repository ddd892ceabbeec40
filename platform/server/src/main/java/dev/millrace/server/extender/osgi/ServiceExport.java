package dev.millrace.server.extender.osgi;

import java.util.ArrayList;
import java.util.Hashtable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceRegistration;
import org.springframework.util.ClassUtils;

/**
 * The bean definition behind {@code osgi:service}: registers a bean as a service. Confined to the application's thread.
 */
public final class ServiceExport
{
    /** Service property with the name of the exported bean. */
    public static final String BEAN_NAME_PROPERTY = "org.springframework.osgi.bean.name";

    private Object target;

    private String targetName;

    private List<String> interfaces = List.of();

    private String autoExport = "disabled";

    private int ranking;

    private Map<String, Object> serviceProperties = Map.of();

    private ServiceRegistration<?> registration;

    /** Sets the service object. */
    public void setTarget(final Object bean)
    {
        target = bean;
    }

    /**
     * Sets the bean name.
     *
     * @param name may be {@code null} for an inner bean
     */
    public void setTargetName(final String name)
    {
        targetName = name;
    }

    /** Sets the class names under which the service is registered. */
    public void setInterfaces(final List<String> names)
    {
        interfaces = names;
    }

    /**
     * Sets the mode that determines additional class names.
     *
     * @param mode {@code disabled}, {@code interfaces}, {@code class-hierarchy} or {@code all-classes}
     */
    public void setAutoExport(final String mode)
    {
        autoExport = mode;
    }

    /** Sets the service ranking; a higher value has priority. */
    public void setRanking(final int value)
    {
        ranking = value;
    }

    /** Sets additional service properties. */
    public void setServiceProperties(final Map<String, Object> properties)
    {
        serviceProperties = properties;
    }

    public void register(final BundleContext context)
    {
        final Set<String> names = new LinkedHashSet<>(interfaces);
        final Class<?> type = target.getClass();
        if (autoExport.equals("interfaces") || autoExport.equals("all-classes"))
        {
            ClassUtils.getAllInterfacesForClassAsSet(type).forEach(found -> names.add(found.getName()));
        }
        if (autoExport.equals("class-hierarchy") || autoExport.equals("all-classes"))
        {
            for (Class<?> found = type; found != null && found != Object.class; found = found.getSuperclass())
            {
                names.add(found.getName());
            }
        }
        final Hashtable<String, Object> properties = new Hashtable<>(serviceProperties);
        if (ranking != 0)
        {
            properties.put(Constants.SERVICE_RANKING, ranking);
        }
        if (targetName != null)
        {
            properties.putIfAbsent(BEAN_NAME_PROPERTY, targetName);
        }
        registration = context.registerService(new ArrayList<>(names).toArray(new String[0]), target, properties);
    }

    public void unregister()
    {
        if (registration != null)
        {
            registration.unregister();
            registration = null;
        }
    }
}
