package dev.millrace.cql.replay;

import dev.millrace.assembly.ApplicationFrame;
import dev.millrace.cql.processor.QueryComparison;
import dev.millrace.cql.replay.DeclaredParts.Key;
import dev.millrace.network.NetworkDifference;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.difference.ApplicationComparer;
import dev.millrace.network.difference.ApplicationDifference;
import dev.millrace.network.difference.ApplicationDifference.Change;
import dev.millrace.network.difference.ApplicationDifference.Effect;
import dev.millrace.network.difference.ApplicationDifference.Part;
import dev.millrace.network.spi.RuleChange;
import dev.millrace.network.spi.RuleChange.QueryChange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Compares two versions of an application without a server. The command line creates it by its name. */
public final class OfflineComparer implements ApplicationComparer
{
    /** Attributes whose values are not shown. */
    private static final String SECRET = ".*(password|secret|token|credential|key-?phrase|passphrase).*";

    @Override
    public ApplicationDifference compare(final Path before, final Path after) throws DeploymentException
    {
        try (OfflineApplication old = OfflineApplication.open(open(before), OfflineSettings.DEFAULT);
            OfflineApplication next = OfflineApplication.open(open(after), OfflineSettings.DEFAULT))
        {
            return difference(old, next);
        }
        catch (final IOException e)
        {
            throw unreadable(before + ", " + after, e);
        }
    }

    @Override
    public ApplicationDifference compareDeployed(final Path domain, final Path after) throws DeploymentException
    {
        final ApplicationFiles files = open(after);
        try (OfflineApplication old = OfflineApplication.open(domain, files.name());
            OfflineApplication next = OfflineApplication.open(new NextVersionFiles(files, old.files()),
                OfflineSettings.of(domain.resolve("config/config.xml"))))
        {
            return difference(old, next);
        }
        catch (final IOException e)
        {
            throw unreadable(domain + ", " + after, e);
        }
    }

    private static ApplicationFiles open(final Path application) throws DeploymentException
    {
        try
        {
            return ApplicationPath.open(application, List.of());
        }
        catch (final IOException e)
        {
            throw unreadable(application.toString(), e);
        }
    }

    private static DeploymentException unreadable(final String paths, final IOException cause)
    {
        return new DeploymentException(List.of(new Problem(ReplayErrorCode.APPLICATION, SourcePosition.NONE,
            "the files of the application cannot be read, path=" + paths + " reason=" + cause,
            "specify bundles, or directories of projects", "")), cause);
    }

    private static ApplicationDifference difference(final OfflineApplication before, final OfflineApplication after)
        throws IOException
    {
        final List<String> obstacles =
            new NetworkDifference(before.definition(), after.definition(), bean -> null).obstacles();
        final List<Part> files = files(before.files(), after.files());
        final Effect effect = files.isEmpty() && frame(before.files()).equals(frame(after.files())) ? Effect.RULES :
            obstacles.isEmpty() ? Effect.NETWORK_KEPT : Effect.NETWORK_CREATED;
        final Set<String> reasons = new LinkedHashSet<>(effect == Effect.NETWORK_CREATED ? obstacles : List.of());
        final Map<String, QueryChange> outcomes = outcomes(before, after, effect, reasons);
        final List<Part> parts = parts(DeclaredParts.of(before), DeclaredParts.of(after), outcomes);
        parts.addAll(files);
        return new ApplicationDifference(after.files().name(), effect, List.copyOf(reasons), parts);
    }

    private static ApplicationFrame frame(final ApplicationFiles files) throws IOException
    {
        return ApplicationFrame.of(files.assembly(), files.configuration(), files.properties());
    }

    /** The files that differ, apart from component configuration files, whose elements are compared. */
    private static List<Part> files(final ApplicationFiles before, final ApplicationFiles after) throws IOException
    {
        final Map<String, byte[]> old = before.contents();
        final Map<String, byte[]> now = after.contents();
        final Set<String> paths = new TreeSet<>(old.keySet());
        paths.addAll(now.keySet());
        final List<Part> parts = new ArrayList<>();
        for (final String path : paths)
        {
            if (!Arrays.equals(old.get(path), now.get(path)))
            {
                parts.add(new Part("file", path, change(old.get(path), now.get(path)), List.of(), null));
            }
        }
        if (before.headers() != null && after.headers() != null)
        {
            final List<String> details = details(before.headers(), after.headers());
            if (!details.isEmpty())
            {
                parts.add(new Part("file", "META-INF/MANIFEST.MF", Change.CHANGED, details, null));
            }
        }
        return parts;
    }

    private static Change change(final Object before, final Object after)
    {
        return before == null ? Change.ADDED : after == null ? Change.REMOVED : Change.CHANGED;
    }

    /** The outcome for each query, by processor and id. */
    private static Map<String, QueryChange> outcomes(final OfflineApplication before, final OfflineApplication after,
        final Effect effect, final Set<String> reasons)
    {
        final Map<String, QueryChange> outcomes = new LinkedHashMap<>();
        final Set<String> processors = new LinkedHashSet<>(after.plans().keySet());
        processors.addAll(before.plans().keySet());
        for (final String processor : processors)
        {
            final QueryComparison queries =
                new QueryComparison(before.plans().get(processor), after.plans().get(processor));
            final boolean isLost = effect == Effect.NETWORK_CREATED &&
                !(isDurable(before, processor) && isDurable(after, processor));
            final RuleChange change = isLost ? queries.restart() : queries.change(effect == Effect.RULES);
            change.queries().forEach(query -> outcomes.put(processor + '/' + query.id(), query));
            reasons.addAll(change.notes());
        }
        return outcomes;
    }

    private static boolean isDurable(final OfflineApplication application, final String processor)
    {
        return application.definition().stages().stream().anyMatch(stage ->
            stage instanceof ProcessorStage each && each.id().equals(processor) && each.durable());
    }

    private static List<Part> parts(final Map<Key, Map<String, String>> before,
        final Map<Key, Map<String, String>> after, final Map<String, QueryChange> outcomes)
    {
        final Set<Key> keys = new LinkedHashSet<>(after.keySet());
        keys.addAll(before.keySet());
        final List<Part> parts = new ArrayList<>();
        for (final Key key : keys)
        {
            final Map<String, String> old = before.get(key);
            final Map<String, String> now = after.get(key);
            final List<String> details = old == null || now == null ? List.of() : details(old, now);
            final Change change = old != null && now != null && details.isEmpty() ? Change.SAME : change(old, now);
            final QueryChange outcome = "query".equals(key.kind()) ? outcomes.get(key.id()) : null;
            if (change != Change.SAME || outcome != null)
            {
                parts.add(new Part(key.kind(), key.id(), change, details, outcome));
            }
        }
        return parts;
    }

    private static List<String> details(final Map<String, String> before, final Map<String, String> after)
    {
        final Set<String> names = new LinkedHashSet<>(before.keySet());
        names.addAll(after.keySet());
        final List<String> details = new ArrayList<>();
        for (final String name : names)
        {
            final String old = before.getOrDefault(name, "none");
            final String now = after.getOrDefault(name, "none");
            if (!old.equals(now))
            {
                details.add(name + ": " + (name.toLowerCase(Locale.ROOT).matches(SECRET) ? "differs" :
                    shown(old) + " -> " + shown(now)));
            }
        }
        return details;
    }

    private static String shown(final String value)
    {
        return value.isEmpty() ? "none" : value;
    }
}
