package dev.millrace.launcher;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.FrameworkListener;
import org.osgi.framework.wiring.BundleRevision;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects the errors that the framework reports while bundles start, and combines them into one message. Thread-safe:
 * events arrive on threads of the framework.
 */
final class StartFailures implements FrameworkListener
{
    private static final Logger LOG = LoggerFactory.getLogger(StartFailures.class);

    /** Messages for the user contain a code. */
    private static final Pattern CODE = Pattern.compile("\\b[A-Z]{3}-\\d{4}: ");

    private final Map<Long, Throwable> failures = new ConcurrentHashMap<>();

    private volatile boolean starting = true;

    @Override
    public void frameworkEvent(final FrameworkEvent event)
    {
        if (event.getType() == FrameworkEvent.ERROR)
        {
            failures.put(event.getBundle().getBundleId(), event.getThrowable());
            if (starting)
            {
                // Reported once, when the start is refused, without the stack trace.
                LOG.debug("framework error, bundle={}", event.getBundle().getSymbolicName(), event.getThrowable());
            }
            else
            {
                LOG.error("framework error, bundle={}", event.getBundle().getSymbolicName(), event.getThrowable());
            }
        }
        else if (event.getType() == FrameworkEvent.WARNING)
        {
            LOG.warn("framework warning, bundle={}", event.getBundle().getSymbolicName(), event.getThrowable());
        }
    }

    /** Refuses the start when a bundle of the platform is not active. */
    void check(final List<Bundle> bundles) throws LaunchException
    {
        for (final Bundle bundle : bundles)
        {
            if (!isFragment(bundle) && !isRunning(bundle))
            {
                throw new LaunchException(
                    ExitCode.START_FAILED, message(bundle, cause(bundle)), cause(bundle));
            }
        }
        starting = false;
        failures.clear();
    }

    static boolean isFragment(final Bundle bundle)
    {
        return (bundle.adapt(BundleRevision.class).getTypes() & BundleRevision.TYPE_FRAGMENT) != 0;
    }

    private static boolean isRunning(final Bundle bundle)
    {
        // A bundle with lazy activation is STARTING until its first class is loaded.
        return (bundle.getState() & (Bundle.ACTIVE | Bundle.STARTING)) != 0;
    }

    /** Events are delivered late; a second attempt gets the reason at once. */
    private Throwable cause(final Bundle bundle)
    {
        return failures.computeIfAbsent(bundle.getBundleId(), id ->
        {
            try
            {
                bundle.start(Bundle.START_TRANSIENT);
                return new IllegalStateException("started at the second attempt only");
            }
            catch (final Exception e)
            {
                return e;
            }
        });
    }

    static String message(final Bundle bundle, final Throwable failure)
    {
        for (Throwable cause = failure; cause != null; cause = cause.getCause())
        {
            if (cause.getMessage() != null && CODE.matcher(cause.getMessage()).find())
            {
                return cause.getMessage();
            }
        }
        Throwable root = failure;
        while (root.getCause() != null)
        {
            root = root.getCause();
        }
        LOG.error("bundle failed, name={}", bundle.getSymbolicName(), failure);
        return "SRV-0009: bundle does not start, name=" + bundle.getSymbolicName() + " reason=" + root
            + "\n    hint: the lines above show where; unpack the distribution again when a package is missing";
    }
}
