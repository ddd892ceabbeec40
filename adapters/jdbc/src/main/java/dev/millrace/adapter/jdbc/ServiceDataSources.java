package dev.millrace.adapter.jdbc;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

/** Data sources that the server registers as services. Thread-safe. */
final class ServiceDataSources implements DataSources
{
    private static final String NAMES = "type";

    private final BundleContext context;

    ServiceDataSources(final BundleContext context)
    {
        this.context = context;
    }

    @Override
    public DataSource find(final String name)
    {
        for (final ServiceReference<DataSource> reference : references())
        {
            if (namesOf(reference).contains(name))
            {
                return context.getService(reference);
            }
        }
        return null;
    }

    @Override
    public Collection<String> names()
    {
        final TreeSet<String> names = new TreeSet<>();
        references().forEach(reference -> names.addAll(namesOf(reference)));
        return names;
    }

    private Collection<ServiceReference<DataSource>> references()
    {
        try
        {
            return context.getServiceReferences(DataSource.class, null);
        }
        catch (final InvalidSyntaxException e)
        {
            throw new IllegalStateException("internal error: missing filter", e);
        }
    }

    private static List<String> namesOf(final ServiceReference<DataSource> reference)
    {
        final Object value = reference.getProperty(NAMES);
        return value instanceof final String[] several ? List.of(several) :
            value == null ? List.of() : List.of(value.toString());
    }
}
