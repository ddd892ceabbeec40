package dev.millrace.server.spi;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Changes what the members of a group have deployed; each method waits until all have answered or the time is up. A
 * service that is there when the instance takes part in a cluster. Safe for all threads.
 *
 * <p>A group is a named one, {@code AllDomainMembers} or {@code all}, or the name of a server.
 *
 * <p>Failure: what is refused as a whole throws, and nothing has changed; what single members cannot do stands in
 * their answers.
 */
public interface GroupDeployments
{
    /** What a member has answered. */
    enum Answer
    {
        /** It has done it. */
        DONE,
        /** It could not, see its problems; what it had before goes on. */
        FAILED,
        /** It left the cluster meanwhile; when it comes back it follows. */
        GONE,
        /** It has not answered in time; it may be at it still. */
        NONE
    }

    /**
     * How a member stands.
     *
     * @param member   name of the server
     * @param answer   whether it has done it
     * @param state    of its application; empty when it is not known
     * @param version  of what it has now; 0 when it has none, or a version that is not known any more
     * @param problems why it could not
     * @param report   what an update kept and lost there, in words; empty when it was no update
     */
    record MemberAnswer(
        String member, Answer answer, String state, long version, List<Problem> problems, List<String> report)
    {
        /** Copies the lists. */
        public MemberAnswer
        {
            problems = List.copyOf(problems);
            report = List.copyOf(report);
        }
    }

    /**
     * What became of a change.
     *
     * @param application symbolic name
     * @param group       that was meant
     * @param version     number of the change, one more with each of this application
     * @param members     one answer each, by name
     * @param note        what else happened; empty when nothing did
     */
    record GroupAnswer(String application, String group, long version, List<MemberAnswer> members, String note)
    {
        /** Copies the list. */
        public GroupAnswer
        {
            members = List.copyOf(members);
        }

        /**
         * Whether all did it.
         *
         * @return false when one could not or has not answered
         */
        public boolean isDone()
        {
            return members.stream().allMatch(member -> member.answer == Answer.DONE);
        }
    }

    /**
     * What a group had deployed at some time, or has now.
     *
     * @param number of the change, as answers to changes show it
     * @param timeMs when it was made, since 1970, by the clock of the member that was asked
     * @param member that was asked
     * @param change what was done
     */
    record Version(long number, long timeMs, String member, String change)
    {
    }

    /** Makes other settings of those that are there. */
    @FunctionalInterface
    interface SettingsEdit
    {
        /**
         * Makes them.
         *
         * @param bundle the application's, a file for the time of the call
         * @param before settings now
         * @return settings from now on
         * @throws IOException         when the bundle cannot be read
         * @throws DeploymentException when the change does not fit what is there
         */
        ApplicationSettings apply(Path bundle, ApplicationSettings before) throws IOException, DeploymentException;
    }

    /**
     * The group that has deployed an application on this instance.
     *
     * @param name symbolic name
     * @return empty when no group has
     */
    Optional<String> groupOf(String name);

    /**
     * Installs a bundle on all members of a group.
     *
     * @param group    that is meant
     * @param bundle   its bytes
     * @param fileName as the user calls it
     * @param startNs  how long it may take to start on each member; 0 for what counts without it
     * @return one answer a member
     * @throws IOException          when bytes cannot be read or kept here
     * @throws DeploymentException  when it is refused as a whole
     * @throws InterruptedException when interrupted; members go on
     */
    GroupAnswer install(String group, InputStream bundle, String fileName, long startNs)
        throws IOException, DeploymentException, InterruptedException;

    /**
     * Replaces the bundle on all members of a group, or on none: when a member that has the version before refuses the
     * next one, all go back to the version before, as far as its bundle is kept.
     *
     * @param group    that is meant
     * @param name     symbolic name
     * @param bundle   bytes of the new version
     * @param fileName as the user calls it
     * @param startNs  how long it may take to start on each member; 0 for what counts without it
     * @return one answer a member
     * @throws IOException          when bytes cannot be read or kept here
     * @throws DeploymentException  when it is refused as a whole
     * @throws InterruptedException when interrupted; members go on
     */
    GroupAnswer update(String group, String name, InputStream bundle, String fileName, long startNs)
        throws IOException, DeploymentException, InterruptedException;

    /**
     * Pauses or continues an application on all members of a group.
     *
     * @param group     that is meant
     * @param name      symbolic name
     * @param suspended true to pause
     * @return one answer a member
     * @throws DeploymentException  when it is refused as a whole
     * @throws InterruptedException when interrupted; members go on
     */
    GroupAnswer setSuspended(String group, String name, boolean suspended)
        throws DeploymentException, InterruptedException;

    /**
     * Removes an application from all members of a group.
     *
     * @param group that is meant
     * @param name  symbolic name
     * @return one answer a member
     * @throws DeploymentException  when it is refused as a whole
     * @throws InterruptedException when interrupted; members go on
     */
    GroupAnswer uninstall(String group, String name) throws DeploymentException, InterruptedException;

    /**
     * Changes rules or configuration on all members of a group. When not one of them could do it, the change is taken
     * back.
     *
     * @param group that is meant
     * @param name  symbolic name
     * @param what  is done, for the history
     * @param edit  makes the new settings
     * @return one answer a member
     * @throws IOException          when the bundle cannot be read here
     * @throws DeploymentException  when it is refused as a whole
     * @throws InterruptedException when interrupted; members go on
     */
    GroupAnswer change(String group, String name, String what, SettingsEdit edit)
        throws IOException, DeploymentException, InterruptedException;

    /**
     * The versions of an application of a group that are known.
     *
     * @param group that is meant
     * @param name  symbolic name
     * @return in order, the present one last
     * @throws DeploymentException when the group does not have it
     */
    List<Version> history(String group, String name) throws DeploymentException;

    /**
     * Makes a new version of what a group had before: bundle, rules and configuration. Whether the application stands
     * still stays as it is.
     *
     * @param group  that is meant
     * @param name   symbolic name
     * @param number of the version that is wanted again
     * @return one answer a member
     * @throws DeploymentException  when it is not known any more, or its bundle is not there
     * @throws InterruptedException when interrupted; members go on
     */
    GroupAnswer rollBack(String group, String name, long number) throws DeploymentException, InterruptedException;

    /**
     * How far the members are with the last change of an application; does not wait.
     *
     * @param name symbolic name
     * @return empty when no group has it
     */
    Optional<GroupAnswer> progress(String name);
}
