package dev.millrace.server.datasource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.millrace.server.config.DataSourceSettings;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceRegistration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection pools of a server, as services that applications find by name. Opened and closed by the activator. */
public final class DataSources implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(DataSources.class);
    private static final long VALIDATION_MS = TimeUnit.SECONDS.toMillis(1);

    private final BundleContext context;
    private final Set<String> unusableDrivers = ConcurrentHashMap.newKeySet();
    /** By name and JNDI names. */
    private final Map<String, HikariDataSource> pools = new LinkedHashMap<>();
    private final List<ServiceRegistration<DataSource>> services = new ArrayList<>();

    /** Opens the pools without connecting to a database. */
    public DataSources(final BundleContext context, final List<DataSourceSettings> all)
    {
        this.context = context;
        all.forEach(this::open);
    }

    private void open(final DataSourceSettings settings)
    {
        final HikariConfig config = new HikariConfig();
        config.setPoolName("data-source-" + settings.name());
        config.setDataSource(new DriverDataSource(settings, this::driver));
        config.setMaximumPoolSize(settings.maxCapacity());
        config.setMinimumIdle(settings.initialCapacity());
        config.setConnectionTimeout(settings.timeoutMs());
        config.setValidationTimeout(Math.min(settings.timeoutMs(), VALIDATION_MS));
        // The server starts even when the database is unavailable.
        config.setInitializationFailTimeout(-1);
        final HikariDataSource pool = new HikariDataSource(config);
        final List<String> names = new ArrayList<>(settings.jndiNames());
        names.add(0, settings.name());
        names.forEach(each -> pools.putIfAbsent(each, pool));
        final Hashtable<String, Object> properties = new Hashtable<>();
        properties.put("type", names.toArray(new String[0]));
        services.add(context.registerService(DataSource.class, pool, properties));
        LOG.info("data source, name={} url={} max-capacity={}", settings.name(), settings.url(),
            settings.maxCapacity());
    }

    /** Returns the pool with a name or JNDI name; {@code null} for none. */
    public DataSource pool(final String name)
    {
        return pools.get(name);
    }

    /** Returns the driver's class, from the server's class path or from any bundle that contains it. */
    private Class<?> driver(final String name)
    {
        final String file = name.replace('.', '/') + ".class";
        for (final Bundle bundle : context.getBundles())
        {
            final boolean isFragment = bundle.getHeaders("").get(Constants.FRAGMENT_HOST) != null;
            if (!isFragment && bundle.getState() != Bundle.UNINSTALLED && bundle.getResource(file) != null)
            {
                try
                {
                    return bundle.loadClass(name);
                }
                catch (final ClassNotFoundException | LinkageError unusable)
                {
                    // Requested again at each attempt to connect.
                    if (unusableDrivers.add(bundle.getBundleId() + name))
                    {
                        LOG.warn("SRV-0340 bundle contains the driver but cannot load it, bundle={} driver-name={} " +
                            "reason={}; install the dependencies of the driver", bundle.getSymbolicName(), name,
                            unusable.toString());
                    }
                }
            }
        }
        return null;
    }

    @Override
    public void close()
    {
        services.forEach(ServiceRegistration::unregister);
        // A pool may be closed again.
        pools.values().forEach(HikariDataSource::close);
    }
}
