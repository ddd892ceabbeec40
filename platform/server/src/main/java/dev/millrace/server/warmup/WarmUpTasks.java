package dev.millrace.server.warmup;

import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.network.spi.ProcessorProvider;
import dev.millrace.server.extender.DryRunApplication;
import dev.millrace.server.warmup.WarmUp.Trial;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.InputStreamSource;

/**
 * The trials of the warm-up: one network, first with statements that run as pipelines, then with statements that run as
 * flows, from the folder {@code warm-up} of this bundle; then the calibration of processor providers.
 */
public final class WarmUpTasks
{
    private static final Logger LOG = LoggerFactory.getLogger(WarmUpTasks.class);

    private static final String FOLDER = "/warm-up/";

    private static final List<String> RULES = List.of("pipelines.xml", "flows.xml");

    private WarmUpTasks()
    {
    }

    /**
     * Returns the trials of a server.
     *
     * @param context context of the server bundle; all bundles must have started
     * @return in order; empty when no bundle offers processors
     */
    public static List<Trial> of(final BundleContext context)
    {
        if (!DryRunApplication.isPossible(context))
        {
            return List.of();
        }
        final List<Trial> trials = new ArrayList<>();
        RULES.forEach(rules -> trials.add(() -> run(context, rules)));
        trials.add(() -> calibrate(context));
        return trials;
    }

    private static void calibrate(final BundleContext context) throws InvalidSyntaxException
    {
        for (final ServiceReference<ProcessorProvider> reference :
            context.getServiceReferences(ProcessorProvider.class, null))
        {
            final ProcessorProvider provider = context.getService(reference);
            if (provider != null)
            {
                try
                {
                    provider.calibrate();
                }
                finally
                {
                    context.ungetService(reference);
                }
            }
        }
    }

    private static void run(final BundleContext context, final String rules) throws Exception
    {
        final DryRunApplication.Times times = DryRunApplication.run("millrace.warm-up", context,
            List.of(resource("network.xml")), List.of(resource(rules)));
        LOG.debug("class warm-up, rules={} ms={} of which files={} beans={} network={} (microseconds)", rules,
            times.totalMs(), times.filesNs() / 1_000, times.beansNs() / 1_000, times.networkNs() / 1_000);
    }

    private static ConfigurationResource resource(final String name)
    {
        final InputStreamSource content = () -> open(name);
        return new ConfigurationResource(FOLDER.substring(1) + name, content);
    }

    private static InputStream open(final String name) throws IOException
    {
        final InputStream in = WarmUpTasks.class.getResourceAsStream(FOLDER + name);
        if (in == null)
        {
            throw new IOException("missing in the server bundle, file=" + FOLDER + name);
        }
        return in;
    }
}
