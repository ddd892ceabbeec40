package dev.millrace.cluster.deployment;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterView;
import dev.millrace.cluster.ClusterView.State;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.ReplicatedMap;
import dev.millrace.cluster.ReplicatedMap.FencedException;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.files.DomainFiles;
import dev.millrace.server.spi.ApplicationSettings;
import dev.millrace.server.spi.GroupDeployments;
import dev.millrace.server.spi.LocalDeployments;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * One member's part in group deployment: it applies the documents of its groups, and accepts changes for any group.
 * Thread-safe.
 */
public final class GroupDeploymentService implements GroupDeployments, AutoCloseable
{
    /** The name of the group of all members in commands. */
    private static final String ALL = "all";
    private static final String DOCUMENTS = "deployments";
    private static final String RESULTS = "deployment-results";
    private static final String CHUNKS = "deployment-bytes";
    /** Maximum size of rules and configuration of an application together. */
    private static final long MAX_SETTINGS_CHARS = 4 << 20;
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(60);

    private final Cluster cluster;
    private final LocalDeployments deployments;
    private final BundleFiles bundles;
    private final DesiredDeployments documents;
    private final BundleChunks chunks;
    private final DesiredDeploymentsFile followed;
    private final GroupResponses answers;
    private final DeploymentReconciler follower;
    private final Clock clock = Clock.systemUTC();

    private GroupDeploymentService(final Cluster cluster, final LocalDeployments deployments, final DomainFiles files,
        final Path directory, final long answerNs)
    {
        this.cluster = cluster;
        this.deployments = deployments;
        final ReplicatedMap documentMap = cluster.map(DOCUMENTS);
        final ReplicatedMap resultMap = cluster.map(RESULTS);
        documents = new DesiredDeployments(documentMap);
        chunks = new BundleChunks(cluster.bytes(CHUNKS), System::nanoTime, documents::all);
        bundles = new BundleFiles(files, directory, deployments, chunks);
        followed = new DesiredDeploymentsFile(files, directory.resolve("deployments.json"));
        final MemberStatuses results = new MemberStatuses(resultMap, System::nanoTime);
        answers = new GroupResponses(cluster, resultMap, results, answerNs, System::nanoTime);
        follower = new DeploymentReconciler(cluster, documentMap, deployments,
            new DeploymentReconciler.Shared(documents, results, chunks), followed);
    }

    /**
     * Starts to apply the deployments of this member's groups.
     *
     * @param cluster     must outlive the result
     * @param deployments of the server
     * @param directory   for applied documents and for bundles in transfer; created when needed
     * @return must be closed before the cluster
     * @throws IOException when the previously applied documents cannot be read
     */
    public static GroupDeploymentService start(
        final Cluster cluster, final LocalDeployments deployments, final Path directory) throws IOException
    {
        return start(cluster, deployments, new DomainFiles(), directory, ANSWER_NS);
    }

    static GroupDeploymentService start(final Cluster cluster, final LocalDeployments deployments,
        final DomainFiles files,
        final Path directory, final long answerNs) throws IOException
    {
        final GroupDeploymentService made = new GroupDeploymentService(cluster, deployments, files, directory,
            answerNs);
        made.followed.read();
        made.bundles.removeLeft();
        made.follower.start();
        return made;
    }

    @Override
    public Optional<String> groupOf(final String name)
    {
        return followed.live(name).map(DesiredDeployment::group);
    }

    @Override
    public GroupAnswer install(final String group, final InputStream bundle, final String fileName, final long startNs)
        throws IOException, DeploymentException, InterruptedException
    {
        final String meant = existing(group);
        return bundles.received(bundle, fileName, received ->
        {
            final String name = deployments.check(received.file(), fileName);
            final Optional<DesiredDeployment> before = latest(name);
            if (before.isPresent() && !before.get().deleted())
            {
                throw refuse("CLU-0203", name, "a group already has this application, group=" + before.get().group(),
                    "replace it with update, or uninstall it there first");
            }
            final DeploymentContent content = DeploymentContent.of(received);
            put(name, content, received);
            return write(before, DesiredDeployment.first(name, meant, before, content, startNs,
                by("install " + fileName)));
        });
    }

    @Override
    public GroupAnswer update(final String group, final String name, final InputStream bundle, final String fileName,
        final long startNs) throws IOException, DeploymentException, InterruptedException
    {
        final DesiredDeployment before = existing(group, name);
        return bundles.received(bundle, fileName, received ->
        {
            final String found = deployments.check(received.file(), fileName);
            if (!found.equals(name))
            {
                throw refuse("CLU-0208", fileName, "the bundle contains a different application, "
                    + "Bundle-SymbolicName=" + found +
                    " application=" + name, "install it instead, or update " + found);
            }
            final DeploymentContent content = DeploymentContent.of(received);
            put(name, content, received);
            final DesiredDeployment next = before.with(
                content, startNs == 0 ? before.startNs() : startNs, by("update " + fileName));
            final GroupAnswer answer = write(Optional.of(before), next);
            final List<String> refusing = answer.members().stream().filter(each ->
                each.answer() == Answer.FAILED && each.version() == before.version()).map(MemberAnswer::member)
                .toList();
            return refusing.isEmpty() || !isKept(before.content()) ? answer : takenBack(before, next, answer, refusing);
        });
    }

    @Override
    public GroupAnswer setSuspended(final String group, final String name, final boolean suspended)
        throws DeploymentException, InterruptedException
    {
        final DesiredDeployment before = existing(group, name);
        return write(Optional.of(before),
            before.withSuspended(suspended, by(suspended ? "suspend" : DesiredDeployment.RESUME)));
    }

    @Override
    public GroupAnswer uninstall(final String group, final String name)
        throws DeploymentException, InterruptedException
    {
        final DesiredDeployment before = existing(group, name);
        return write(Optional.of(before), before.asDeleted(by("uninstall")));
    }

    @Override
    public GroupAnswer change(final String group, final String name, final String what, final SettingsEdit edit)
        throws IOException, DeploymentException, InterruptedException
    {
        final DesiredDeployment before = existing(group, name);
        final DeploymentContent content = before.content();
        final ApplicationSettings settings = edited(before, edit);
        if (settings.sizeChars() > MAX_SETTINGS_CHARS)
        {
            throw refuse("CLU-0215", name, "rules and configuration are too large, sizeChars=" +
                settings.sizeChars() + " limitChars=" + MAX_SETTINGS_CHARS, "add them to the bundle and update it");
        }
        final DesiredDeployment next = before.with(content.withSettings(settings), by(what));
        final GroupAnswer answer = write(Optional.of(before), next);
        final boolean isRefusedByAll = !answer.members().isEmpty() &&
            answer.members().stream().allMatch(each -> each.answer() == Answer.FAILED);
        return isRefusedByAll ? takenBack(before, next, answer, List.of()) : answer;
    }

    private ApplicationSettings edited(final DesiredDeployment before, final SettingsEdit edit)
        throws IOException, DeploymentException, InterruptedException
    {
        try
        {
            return bundles.with(before, bundle -> edit.apply(bundle, before.content().settings()));
        }
        catch (final FencedException e)
        {
            throw fenced(e);
        }
    }

    /**
     * Reverts a change that members refused, so that all members have the same version and the next change does not
     * start from the refused one.
     *
     * @param refusing names of members that refused; empty when no member could apply the change
     */
    private GroupAnswer takenBack(final DesiredDeployment before, final DesiredDeployment next,
        final GroupAnswer answer,
        final List<String> refusing) throws DeploymentException, InterruptedException
    {
        final String who = refusing.isEmpty() ? "no member could apply it" :
            "refused by " + String.join(", ", refusing);
        final DesiredDeployment back = next.with(before.content(), before.startNs(), by("version " + before.version() +
            " again, version " + next.version() + " was " + (refusing.isEmpty() ? "applied by no member" : who)));
        final boolean isBack;
        try
        {
            isBack = documents.replace(Optional.of(next), back);
        }
        catch (final FencedException e)
        {
            throw fenced(e);
        }
        if (!isBack)
        {
            return answer;
        }
        final List<String> left = answers.await(back, Set.of()).members().stream()
            .filter(each -> each.answer() != Answer.DONE).map(MemberAnswer::member).toList();
        return new GroupAnswer(answer.application(), answer.group(), answer.version(), answer.members(), who +
            ": version " + back.version() + " restores version " + before.version() + ", " + (left.isEmpty() ?
            "on all members" : "not yet on " + String.join(", ", left)));
    }

    @Override
    public List<Version> history(final String group, final String name) throws DeploymentException
    {
        final DesiredDeployment document = existing(group, name);
        final List<Version> versions = new ArrayList<>();
        document.history().forEach(each -> versions.add(version(each)));
        versions.add(version(document.present()));
        return versions;
    }

    private static Version version(final DesiredDeployment.Past past)
    {
        final ChangeRecord change = past.change();
        return new Version(past.version(), change.timeMs(), change.member(), change.what());
    }

    @Override
    public GroupAnswer rollBack(final String group, final String name, final long number)
        throws DeploymentException, InterruptedException
    {
        final DesiredDeployment before = existing(group, name);
        final DeploymentContent wanted = before.past(number).orElseThrow(() -> refuse("CLU-0216", name,
            "unknown version, version=" + number, number == before.version() ? "it is the current one" :
                "known versions are " +
                    before.history().stream().map(DesiredDeployment.Past::version).toList())).content();
        if (!wanted.hasBundleOf(before.content()) && !isKept(wanted))
        {
            throw refuse("CLU-0217", name, "the bundle of this version is no longer stored, version=" + number
                + " file=" +
                wanted.fileName() + " sha256=" + wanted.sha256(),
                "update the group with that bundle, then roll back to the version for its rules and configuration; " +
                "bundles are stored for versions " + kept(before));
        }
        return write(Optional.of(before), before.with(wanted, by("roll back to version " + number)));
    }

    private List<Long> kept(final DesiredDeployment document) throws DeploymentException
    {
        final List<Long> kept = new ArrayList<>();
        for (final DesiredDeployment.Past past : document.history())
        {
            if (past.content().hasBundleOf(document.content()) || isKept(past.content()))
            {
                kept.add(past.version());
            }
        }
        return kept;
    }

    private boolean isKept(final DeploymentContent content) throws DeploymentException
    {
        try
        {
            return chunks.has(content);
        }
        catch (final FencedException e)
        {
            throw fenced(e);
        }
    }

    @Override
    public Optional<GroupAnswer> progress(final String name)
    {
        return documents.get(name).map(answers::now);
    }

    private ChangeRecord by(final String what)
    {
        return new ChangeRecord(self(), clock.millis(), what);
    }

    private String self()
    {
        return cluster.view().self().name();
    }

    private void put(final String name, final DeploymentContent content, final BundleFile bundle)
        throws IOException, DeploymentException
    {
        try
        {
            chunks.put(name, content, bundle);
        }
        catch (final FencedException e)
        {
            throw fenced(e);
        }
    }

    /** From here on, the change takes effect even if this member fails. */
    private GroupAnswer write(final Optional<DesiredDeployment> before, final DesiredDeployment next)
        throws DeploymentException, InterruptedException
    {
        final Set<String> asked = answers.names(next.group());
        try
        {
            if (!documents.replace(before, next))
            {
                throw changedMeanwhile(next);
            }
        }
        catch (final FencedException e)
        {
            throw fenced(e);
        }
        return answers.await(next, asked);
    }

    private DeploymentException changedMeanwhile(final DesiredDeployment mine)
    {
        final String who = documents.get(mine.name()).map(now -> "version=" + now.version() + " changedBy=" +
            now.change().member() + " change=" + now.change().what()).orElse("it no longer exists");
        return refuse("CLU-0205", mine.name(), "the application was changed by another user in the meantime, and this "
            + "change " +
            "is not applied, " + who + " group=" + mine.group(), "check it with app history --group " + mine.group() +
            ", then try again");
    }

    /** Resolves the group named by a user; fails when it has no members. */
    private String existing(final String group) throws DeploymentException
    {
        final ClusterView view = cluster.view();
        if (view.state() != State.MEMBER)
        {
            throw fenced(null);
        }
        final String meant = group.toLowerCase(Locale.ROOT).equals(ALL) ? Member.ALL_MEMBERS : group;
        if (view.group(meant).isEmpty())
        {
            final Set<String> groups = new TreeSet<>();
            for (final Member member : view.members())
            {
                groups.add(member.name());
                groups.addAll(member.groups());
            }
            throw refuse("CLU-0201", group, "no member is in this group, group=" + group,
                "existing groups are " + Member.ALL_MEMBERS + ", " + String.join(", ", groups));
        }
        return meant;
    }

    /** Returns the document of an application of a group. */
    private DesiredDeployment existing(final String group, final String name) throws DeploymentException
    {
        final String meant = existing(group);
        final DesiredDeployment document = latest(name).filter(each -> !each.deleted()).orElse(null);
        if (document == null)
        {
            throw refuse("CLU-0202", name, "no group has this application, name=" + name, "groups have these "
                + "applications: " +
                documents.all().stream().filter(each -> !each.deleted()).map(DesiredDeployment::name).toList());
        }
        if (!document.group().equals(meant))
        {
            throw refuse("CLU-0207", name, "the application belongs to another group, group=" + document.group(),
                "repeat it with --group " + document.group());
        }
        return document;
    }

    private Optional<DesiredDeployment> latest(final String name) throws DeploymentException
    {
        try
        {
            return documents.latest(name);
        }
        catch (final FencedException e)
        {
            throw fenced(e);
        }
    }

    private static DeploymentException refuse(
        final String code, final String where, final String text, final String hint)
    {
        return new DeploymentException(code, new SourcePosition(where, 0, 0), text, hint);
    }

    private DeploymentException fenced(final Exception cause)
    {
        return new DeploymentException(List.of(new DeploymentException.Problem("CLU-0204",
            SourcePosition.NONE, "this member is not in the cluster, member=" + self(),
            "try again when it has rejoined, or ask another member", "")), cause);
    }

    /** Stops applying deployments; waits for a running one. */
    @Override
    public void close()
    {
        follower.close();
    }
}
