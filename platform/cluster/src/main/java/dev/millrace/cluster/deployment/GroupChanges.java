package dev.millrace.cluster.deployment;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterView;
import dev.millrace.cluster.ClusterView.State;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.SharedMap;
import dev.millrace.cluster.SharedMap.FencedException;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.spi.GroupDeployments;
import dev.millrace.server.spi.LocalDeployments;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Deployment to groups, as one member takes part: it follows the documents of its groups, and takes changes for any
 * group. Safe for all threads.
 */
public final class GroupChanges implements GroupDeployments, AutoCloseable
{
    /** Names the group of all in commands. */
    private static final String ALL = "all";
    private static final String DOCUMENTS = "deployments";
    private static final String RESULTS = "deployment-results";
    private static final String CHUNKS = "deployment-bytes";
    private static final String INCOMING = "incoming-";
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(60);

    private final Cluster cluster;
    private final LocalDeployments deployments;
    private final Path directory;
    private final Documents documents;
    private final Chunks chunks;
    private final FollowedFile followed;
    private final Answers answers;
    private final Follower follower;

    private GroupChanges(final Cluster cluster, final LocalDeployments deployments, final Path directory,
        final long answerNs)
    {
        this.cluster = cluster;
        this.deployments = deployments;
        this.directory = directory;
        final SharedMap documentMap = cluster.map(DOCUMENTS);
        final SharedMap resultMap = cluster.map(RESULTS);
        documents = new Documents(documentMap);
        chunks = new Chunks(cluster.bytes(CHUNKS), System::nanoTime);
        followed = new FollowedFile(directory.resolve("deployments.json"));
        final Results results = new Results(resultMap);
        answers = new Answers(cluster, resultMap, results, answerNs, System::nanoTime);
        follower = new Follower(cluster, documentMap, deployments,
            new Follower.Shared(documents, results, chunks), followed);
    }

    /**
     * Begins to follow the groups of this member.
     *
     * @param cluster     that it has joined; closed after this
     * @param deployments of the server
     * @param directory   for what it follows and for bundles on their way; made when it is needed
     * @return to be closed before the cluster
     * @throws IOException when what it has followed before cannot be read
     */
    public static GroupChanges start(
        final Cluster cluster, final LocalDeployments deployments, final Path directory) throws IOException
    {
        return start(cluster, deployments, directory, ANSWER_NS);
    }

    static GroupChanges start(final Cluster cluster, final LocalDeployments deployments, final Path directory,
        final long answerNs) throws IOException
    {
        final GroupChanges made = new GroupChanges(cluster, deployments, directory, answerNs);
        made.followed.read();
        made.removeIncoming();
        made.follower.start();
        return made;
    }

    @Override
    public Optional<String> groupOf(final String name)
    {
        return followed.live(name).map(Document::group);
    }

    @Override
    public GroupAnswer install(final String group, final InputStream bundle, final String fileName)
        throws IOException, DeploymentException, InterruptedException
    {
        final String meant = existing(group);
        return withFile(bundle, fileName, received ->
        {
            final String name = deployments.check(received.file(), fileName);
            final Optional<Document> before = documents.get(name);
            if (before.isPresent() && !before.get().deleted())
            {
                throw refuse("CLU-0203", name, "a group has this application already, group=" + before.get().group(),
                    "replace it with update, or uninstall it there first");
            }
            final Document first = new Document(name, meant, before.map(Document::version).orElse(0L), "", "", 0, false,
                false, "");
            return change(before, first.withBundle(received, self()), received);
        });
    }

    @Override
    public GroupAnswer update(final String group, final String name, final InputStream bundle, final String fileName)
        throws IOException, DeploymentException, InterruptedException
    {
        final Document before = existing(group, name);
        return withFile(bundle, fileName, received ->
        {
            final String found = deployments.check(received.file(), fileName);
            if (!found.equals(name))
            {
                throw refuse("CLU-0208", fileName, "the bundle is another application, Bundle-SymbolicName=" + found +
                    " application=" + name, "install it instead, or update " + found);
            }
            return change(Optional.of(before), before.withBundle(received, self()), received);
        });
    }

    @Override
    public GroupAnswer setSuspended(final String group, final String name, final boolean suspended)
        throws DeploymentException, InterruptedException
    {
        final Document before = existing(group, name);
        return change(before, before.withSuspended(suspended, self()));
    }

    @Override
    public GroupAnswer uninstall(final String group, final String name)
        throws DeploymentException, InterruptedException
    {
        final Document before = existing(group, name);
        return change(before, before.asDeleted(self()));
    }

    private String self()
    {
        return cluster.view().self().name();
    }

    /** What is done with a bundle that was received. */
    @FunctionalInterface
    private interface Work
    {
        GroupAnswer run(Bundle received) throws IOException, DeploymentException, InterruptedException;
    }

    /** What a crash has left. */
    private void removeIncoming() throws IOException
    {
        if (Files.isDirectory(directory))
        {
            try (DirectoryStream<Path> left = Files.newDirectoryStream(directory, INCOMING + "*.jar"))
            {
                for (final Path each : left)
                {
                    Files.delete(each);
                }
            }
        }
    }

    private GroupAnswer withFile(final InputStream content, final String fileName, final Work work)
        throws IOException, DeploymentException, InterruptedException
    {
        Files.createDirectories(directory);
        final Path file = Files.createTempFile(directory, INCOMING, ".jar");
        try
        {
            Files.copy(content, file, StandardCopyOption.REPLACE_EXISTING);
            return work.run(Bundle.of(file, fileName));
        }
        finally
        {
            Files.deleteIfExists(file);
        }
    }

    private GroupAnswer change(final Optional<Document> before, final Document next, final Bundle bundle)
        throws IOException, DeploymentException, InterruptedException
    {
        try
        {
            chunks.put(next, bundle);
        }
        catch (final FencedException e)
        {
            throw fenced(e);
        }
        return write(before, next);
    }

    private GroupAnswer change(final Document before, final Document next)
        throws DeploymentException, InterruptedException
    {
        return write(Optional.of(before), next);
    }

    /** From here on the change happens, whatever becomes of this member. */
    private GroupAnswer write(final Optional<Document> before, final Document next)
        throws DeploymentException, InterruptedException
    {
        final Set<String> asked = answers.names(next.group());
        try
        {
            if (!documents.replace(before, next))
            {
                final String by = documents.get(next.name()).map(Document::changedBy).orElse("-");
                throw refuse("CLU-0205", next.name(), "the application was changed meanwhile, changedBy=" + by +
                    " group=" + next.group(), "look at it with app list, then try again");
            }
        }
        catch (final FencedException e)
        {
            throw fenced(e);
        }
        return answers.await(next, asked);
    }

    /** The group that a user means, when somebody is in it. */
    private String existing(final String group) throws DeploymentException
    {
        final ClusterView view = cluster.view();
        if (view.state() != State.MEMBER)
        {
            throw fenced(null);
        }
        final String meant = group.toLowerCase(Locale.ROOT).equals(ALL) ? Cluster.ALL_MEMBERS : group;
        if (view.group(meant).isEmpty())
        {
            final Set<String> groups = new TreeSet<>();
            for (final Member member : view.members())
            {
                groups.add(member.name());
                groups.addAll(member.groups());
            }
            throw refuse("CLU-0201", group, "no member is in this group, group=" + group,
                "groups are now " + Cluster.ALL_MEMBERS + ", " + String.join(", ", groups));
        }
        return meant;
    }

    /** What a group has deployed. */
    private Document existing(final String group, final String name) throws DeploymentException
    {
        final String meant = existing(group);
        final Document document = documents.get(name).filter(each -> !each.deleted()).orElse(null);
        if (document == null)
        {
            throw refuse("CLU-0202", name, "no group has this application, name=" + name, "groups have " +
                documents.all().stream().filter(each -> !each.deleted()).map(Document::name).toList());
        }
        if (!document.group().equals(meant))
        {
            throw refuse("CLU-0207", name, "another group has this application, group=" + document.group(),
                "repeat it with --group " + document.group());
        }
        return document;
    }

    private static DeploymentException refuse(
        final String code, final String where, final String text, final String hint)
    {
        return new DeploymentException(code, new SourcePosition(where, 0, 0), text, hint);
    }

    private DeploymentException fenced(final Exception cause)
    {
        return new DeploymentException(List.of(new DeploymentException.Problem("CLU-0204",
            SourcePosition.NONE, "this member is not in the cluster now, member=" + self(),
            "try again when it is back, or ask another member", "")), cause);
    }

    /** Ends following; a deployment that runs is waited for. */
    @Override
    public void close()
    {
        follower.close();
    }
}
