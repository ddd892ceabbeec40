package dev.millrace.server.spi;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The deployments of this instance, and methods that change them. The server registers it as a service; the cluster
 * applies the changes of groups through it. Thread-safe; changes are serialized and return when they are complete.
 */
public interface LocalDeployments
{
    /**
     * An application of this instance.
     *
     * @param name      symbolic name
     * @param state     as in the list of applications
     * @param failed    whether it was rejected or has failed
     * @param suspended desired state: suspended
     * @param jar       its bundle, which may be missing
     * @param problems  reasons of a failure
     */
    record LocalApplication(
        String name, String state, boolean failed, boolean suspended, Path jar, List<Problem> problems)
    {
        /** Copies the list. */
        public LocalApplication
        {
            problems = List.copyOf(problems);
        }
    }

    /**
     * Waits until the applications that were deployed when the instance ended run again or have failed.
     *
     * @param timeoutMs maximum wait
     * @return false when it takes longer
     * @throws InterruptedException when interrupted
     */
    boolean awaitRestored(long timeoutMs) throws InterruptedException;

    /**
     * Checks whether a file is a valid bundle without installing it.
     *
     * @param bundle   file
     * @param fileName the user's name of the file, for messages
     * @return symbolic name
     * @throws IOException         when it cannot be read
     * @throws DeploymentException when it is invalid
     */
    String check(Path bundle, String fileName) throws IOException, DeploymentException;

    /**
     * Returns an application deployed in the domain of this instance.
     *
     * @param name symbolic name
     * @return empty if there is no such application
     */
    Optional<LocalApplication> find(String name);

    /**
     * Returns the changes made to an application since its bundle was installed.
     *
     * @param name symbolic name
     * @return settings; {@link ApplicationSettings#NONE} if there is no such application
     * @throws IOException when they cannot be read
     */
    ApplicationSettings settings(String name) throws IOException;

    /**
     * Installs a bundle and waits until it runs or waits for services.
     *
     * @param bundle    its bytes
     * @param fileName  the user's name of the file, for messages
     * @param suspended whether it is suspended from the start
     * @param settings  initial settings
     * @param startNs   limit for its start; 0 for the default
     * @throws IOException         when bytes cannot be read or stored
     * @throws DeploymentException with all problems; nothing is installed
     */
    void install(InputStream bundle, String fileName, boolean suspended, ApplicationSettings settings, long startNs)
        throws IOException, DeploymentException;

    /**
     * Replaces a bundle.
     *
     * @param name     symbolic name
     * @param bundle   bytes of the new version
     * @param fileName the user's name of the file, for messages
     * @param settings initial settings; those of the old version are discarded
     * @param startNs  limit for its start; 0 for the limit of the old version
     * @throws IOException         when bytes cannot be read or stored; the old version keeps running
     * @throws DeploymentException with all problems; the old version keeps running, with its state
     */
    void update(String name, InputStream bundle, String fileName, ApplicationSettings settings, long startNs)
        throws IOException, DeploymentException;

    /**
     * Changes the settings of an application. Rules change while events flow, and queries with an unchanged plan keep
     * their state. Other configuration changes create the application again.
     *
     * @param name     symbolic name
     * @param settings complete new settings
     * @throws IOException         when they cannot be stored; nothing has changed
     * @throws DeploymentException with all problems; nothing has changed
     */
    void change(String name, ApplicationSettings settings) throws IOException, DeploymentException;

    /**
     * Suspends or resumes an application.
     *
     * @param name      symbolic name
     * @param suspended true to suspend
     * @throws IOException         when the state cannot be stored
     * @throws DeploymentException when it does not run
     */
    void setSuspended(String name, boolean suspended) throws IOException, DeploymentException;

    /**
     * Uninstalls an application and deletes its files.
     *
     * @param name symbolic name
     * @throws IOException         when files cannot be removed
     * @throws DeploymentException when the framework cannot remove its bundle
     */
    void uninstall(String name) throws IOException, DeploymentException;

    /**
     * Returns what the last update of an application kept and lost.
     *
     * @param name symbolic name
     * @return descriptions; empty when it was never updated
     */
    List<String> updateReport(String name);
}
