package dev.millrace.server.spi;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Changes the deployments of the members of a group. Each method waits until all members have responded or the time
 * limit is reached. Registered as a service when the instance is in a cluster. Thread-safe.
 *
 * <p>A group is a named group, {@code AllDomainMembers} or {@code all}, or the name of a server.
 *
 * <p>Failure: a change that is rejected as a whole throws an exception and has no effect; failures of single members
 * are in their answers.
 */
public interface GroupDeployments
{
    /** Result of a change on a member. */
    enum Answer
    {
        /** The member has made the change. */
        DONE,
        /** The member could not make the change, see its problems; its previous state continues. */
        FAILED,
        /** The member has left the cluster; it makes the change when it rejoins. */
        GONE,
        /** The member has not responded in time; it may still be making the change. */
        NONE
    }

    /**
     * State of a member.
     *
     * @param member   name of the server
     * @param answer   result of the change
     * @param state    state of its application; empty when unknown
     * @param version  its current version; 0 when it has none, or an unknown one
     * @param problems reasons of a failure
     * @param report   what an update kept and lost there; empty when it was no update
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
     * Result of a change on a group.
     *
     * @param application symbolic name
     * @param group       name of the group
     * @param version     number of the change, incremented with each change of this application
     * @param members     one answer per member, by name
     * @param note        further effects; may be empty
     */
    record GroupAnswer(String application, String group, long version, List<MemberAnswer> members, String note)
    {
        /** Copies the list. */
        public GroupAnswer
        {
            members = List.copyOf(members);
        }

        /**
         * Whether all members have made the change.
         *
         * @return false when a member failed or has not responded
         */
        public boolean isDone()
        {
            return members.stream().allMatch(member -> member.answer == Answer.DONE);
        }
    }

    /**
     * A current or previous version in a group.
     *
     * @param number number of the change, as in the answers to changes
     * @param timeMs time of the change, since 1970, by the clock of the member that received it
     * @param member member that received the change
     * @param change description of the change
     */
    record Version(long number, long timeMs, String member, String change)
    {
    }

    /** Computes new settings from the current ones. */
    @FunctionalInterface
    interface SettingsEdit
    {
        /**
         * Computes the new settings.
         *
         * @param bundle file of the application's bundle, valid during the call
         * @param before current settings
         * @return new settings
         * @throws IOException         when the bundle cannot be read
         * @throws DeploymentException when the change does not fit the current settings
         */
        ApplicationSettings apply(Path bundle, ApplicationSettings before) throws IOException, DeploymentException;
    }

    /**
     * Returns the group that has deployed an application on this instance.
     *
     * @param name symbolic name
     * @return empty if no group has
     */
    Optional<String> groupOf(String name);

    /**
     * Installs a bundle on all members of a group.
     *
     * @param group    name of the group
     * @param bundle   its bytes
     * @param fileName the user's name of the file, for messages
     * @param startNs  limit for its start on each member; 0 for the default
     * @return one answer per member
     * @throws IOException          when bytes cannot be read or stored here
     * @throws DeploymentException  when the change is rejected as a whole
     * @throws InterruptedException when interrupted; members continue
     */
    GroupAnswer install(String group, InputStream bundle, String fileName, long startNs)
        throws IOException, DeploymentException, InterruptedException;

    /**
     * Replaces the bundle on all members of a group, or on none: when a member that has the previous version rejects
     * the new one, all members return to the previous version, provided that its bundle is still stored.
     *
     * @param group    name of the group
     * @param name     symbolic name
     * @param bundle   bytes of the new version
     * @param fileName the user's name of the file, for messages
     * @param startNs  limit for its start on each member; 0 for the default
     * @return one answer per member
     * @throws IOException          when bytes cannot be read or stored here
     * @throws DeploymentException  when the change is rejected as a whole
     * @throws InterruptedException when interrupted; members continue
     */
    GroupAnswer update(String group, String name, InputStream bundle, String fileName, long startNs)
        throws IOException, DeploymentException, InterruptedException;

    /**
     * Suspends or resumes an application on all members of a group.
     *
     * @param group     name of the group
     * @param name      symbolic name
     * @param suspended true to suspend
     * @return one answer per member
     * @throws DeploymentException  when the change is rejected as a whole
     * @throws InterruptedException when interrupted; members continue
     */
    GroupAnswer setSuspended(String group, String name, boolean suspended)
        throws DeploymentException, InterruptedException;

    /**
     * Uninstalls an application on all members of a group.
     *
     * @param group name of the group
     * @param name  symbolic name
     * @return one answer per member
     * @throws DeploymentException  when the change is rejected as a whole
     * @throws InterruptedException when interrupted; members continue
     */
    GroupAnswer uninstall(String group, String name) throws DeploymentException, InterruptedException;

    /**
     * Changes rules or configuration on all members of a group. When no member can make the change, it is rolled back.
     *
     * @param group name of the group
     * @param name  symbolic name
     * @param what  description of the change, for the history
     * @param edit  computes the new settings
     * @return one answer per member
     * @throws IOException          when the bundle cannot be read here
     * @throws DeploymentException  when the change is rejected as a whole
     * @throws InterruptedException when interrupted; members continue
     */
    GroupAnswer change(String group, String name, String what, SettingsEdit edit)
        throws IOException, DeploymentException, InterruptedException;

    /**
     * Returns the stored versions of an application of a group.
     *
     * @param group name of the group
     * @param name  symbolic name
     * @return in order, the current one last
     * @throws DeploymentException when the group does not have the application
     */
    List<Version> history(String group, String name) throws DeploymentException;

    /**
     * Creates a new version from a previous one: bundle, rules and configuration. The suspended state of the
     * application does not change.
     *
     * @param group  name of the group
     * @param name   symbolic name
     * @param number number of the previous version
     * @return one answer per member
     * @throws DeploymentException  when the version or its bundle is no longer stored
     * @throws InterruptedException when interrupted; members continue
     */
    GroupAnswer rollBack(String group, String name, long number) throws DeploymentException, InterruptedException;

    /**
     * Returns the progress of the members with the last change of an application; does not wait.
     *
     * @param name symbolic name
     * @return empty if no group has the application
     */
    Optional<GroupAnswer> progress(String name);
}
