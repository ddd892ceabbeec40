package dev.millrace.server.spi;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What is deployed on this instance, and the means to change it. The server registers it as a service; a cluster
 * follows its groups by it. Safe for all threads; changes are made one at a time and return when they are done.
 */
public interface LocalDeployments
{
    /**
     * An application of this instance.
     *
     * @param name      symbolic name
     * @param state     as the list of applications shows it
     * @param failed    whether it was refused or has failed
     * @param suspended whether it is meant to stand still
     * @param jar       its bundle, which may be missing
     * @param problems  why it failed
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
     * Waits until what was deployed when the instance ended runs again, or has failed.
     *
     * @param timeoutMs how long
     * @return false when it takes longer
     * @throws InterruptedException when interrupted
     */
    boolean awaitRestored(long timeoutMs) throws InterruptedException;

    /**
     * Looks whether a file can be a bundle; installs nothing.
     *
     * @param bundle   file
     * @param fileName as the user calls it
     * @return symbolic name
     * @throws IOException         when it cannot be read
     * @throws DeploymentException when it is none
     */
    String check(Path bundle, String fileName) throws IOException, DeploymentException;

    /**
     * An application that was deployed in the domain of this instance.
     *
     * @param name symbolic name
     * @return empty when there is none
     */
    Optional<LocalApplication> find(String name);

    /**
     * What was changed of an application since its bundle was installed.
     *
     * @param name symbolic name
     * @return settings; none when there is no such application
     * @throws IOException when they cannot be read
     */
    ApplicationSettings settings(String name) throws IOException;

    /**
     * Installs a bundle and waits until it runs or waits.
     *
     * @param bundle    its bytes
     * @param fileName  as the user calls it
     * @param suspended whether it is to stand still from the beginning
     * @param settings  that it begins with
     * @param startNs   how long it may take to start; 0 for the usual limit
     * @throws IOException         when bytes cannot be read or kept
     * @throws DeploymentException with all problems; nothing is left
     */
    void install(InputStream bundle, String fileName, boolean suspended, ApplicationSettings settings, long startNs)
        throws IOException, DeploymentException;

    /**
     * Replaces a bundle.
     *
     * @param name     symbolic name
     * @param bundle   bytes of the new version
     * @param fileName as the user calls it
     * @param settings that it begins with; those of the old version are gone
     * @param startNs  how long it may take to start; 0 for the limit of the old version
     * @throws IOException         when bytes cannot be read or kept; the old version runs on
     * @throws DeploymentException with all problems; the old version runs on, with its state
     */
    void update(String name, InputStream bundle, String fileName, ApplicationSettings settings, long startNs)
        throws IOException, DeploymentException;

    /**
     * Changes the settings of an application. Rules are changed while events flow, and queries whose plan stays keep
     * their state; for other configuration the application is made anew.
     *
     * @param name     symbolic name
     * @param settings all from now on
     * @throws IOException         when they cannot be kept; everything is as before
     * @throws DeploymentException with all problems; everything is as before
     */
    void change(String name, ApplicationSettings settings) throws IOException, DeploymentException;

    /**
     * Pauses or continues an application.
     *
     * @param name      symbolic name
     * @param suspended true to pause
     * @throws IOException         when that cannot be remembered
     * @throws DeploymentException when it does not run
     */
    void setSuspended(String name, boolean suspended) throws IOException, DeploymentException;

    /**
     * Removes every trace of an application.
     *
     * @param name symbolic name
     * @throws IOException         when files cannot be removed
     * @throws DeploymentException when it does not let go
     */
    void uninstall(String name) throws IOException, DeploymentException;

    /**
     * What the last update of an application kept and lost.
     *
     * @param name symbolic name
     * @return lines in words; none when it was never updated
     */
    List<String> updateReport(String name);
}
