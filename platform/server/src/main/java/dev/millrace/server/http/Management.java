package dev.millrace.server.http;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.recording.RecordingRequest;
import dev.millrace.server.rules.RuleEdit;
import dev.millrace.server.spi.GroupDeployments;
import dev.millrace.server.spi.GroupDeployments.SettingsEdit;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

/**
 * The operations of the management endpoint. Called by several threads; results are snapshots that map names to plain
 * values.
 */
public interface Management
{
    /**
     * Describes the instance.
     *
     * @return its name, state, process and ports
     */
    Map<String, Object> server();

    /** Requests the stop of the instance; returns immediately. */
    void shutdown();

    /**
     * Returns all applications.
     *
     * @return one map per application
     */
    List<Map<String, Object>> applications();

    /**
     * Returns the state of one application.
     *
     * @throws NoSuchApplicationException if there is no such application
     */
    Map<String, Object> application(String name) throws NoSuchApplicationException;

    /**
     * Returns the statistics of the network of an application.
     *
     * @throws NoSuchApplicationException if there is no such application
     * @throws DeploymentException        when it does not run
     */
    Map<String, Object> statistics(String name) throws NoSuchApplicationException, DeploymentException;

    /**
     * Installs a bundle and waits until it runs.
     *
     * @param fileName  the user's name of the file, for messages
     * @param timeoutNs limit for its start; 0 for the default
     * @return its state: running, or waiting for a service
     * @throws IOException         when the bytes cannot be read or stored
     * @throws DeploymentException with all problems; nothing is installed
     */
    Map<String, Object> install(InputStream bundle, String fileName, long timeoutNs)
        throws IOException, DeploymentException;

    /**
     * Replaces a bundle. If the new version does not start, the old one stays deployed.
     *
     * @param fileName  the user's name of the file, for messages
     * @param timeoutNs limit for the start of the new version; 0 for the previous limit
     * @return its state
     * @throws IOException                when the bytes cannot be read or stored
     * @throws NoSuchApplicationException if there is no such application
     * @throws DeploymentException        with all problems; the old version stays deployed
     */
    Map<String, Object> update(String name, InputStream bundle, String fileName, long timeoutNs)
        throws IOException, NoSuchApplicationException, DeploymentException;

    /**
     * Uninstalls an application and deletes its files.
     *
     * @return its last state
     * @throws IOException                when the change cannot be written; nothing has changed
     * @throws NoSuchApplicationException if there is no such application
     * @throws DeploymentException        when the framework cannot remove its bundle
     */
    Map<String, Object> uninstall(String name)
        throws IOException, NoSuchApplicationException, DeploymentException;

    /**
     * Pauses the sources of an application.
     *
     * @return its state
     * @throws IOException                when the change cannot be written; nothing has changed
     * @throws NoSuchApplicationException if there is no such application
     * @throws DeploymentException        when it does not run
     */
    Map<String, Object> suspend(String name)
        throws IOException, NoSuchApplicationException, DeploymentException;

    /**
     * Resumes a suspended application.
     *
     * @return its state
     * @throws IOException                when the change cannot be written; nothing has changed
     * @throws NoSuchApplicationException if there is no such application
     * @throws DeploymentException        when it cannot resume
     */
    Map<String, Object> resume(String name)
        throws IOException, NoSuchApplicationException, DeploymentException;

    /**
     * Restarts an application on this instance, even one that has failed; its state is lost.
     *
     * @throws IOException                when its bundle cannot be read
     * @throws NoSuchApplicationException if there is no such application
     * @throws DeploymentException        when it does not start; it stays deployed and its status shows the reason
     */
    Map<String, Object> restart(String name) throws IOException, NoSuchApplicationException, DeploymentException;

    /**
     * Changes the configuration of an application of this instance, which creates the application again.
     *
     * @param edit computes the new settings
     * @return its state
     * @throws IOException                when files cannot be read or written; nothing has changed
     * @throws NoSuchApplicationException if there is no such application
     * @throws DeploymentException        with all problems; nothing has changed
     */
    Map<String, Object> configure(String name, SettingsEdit edit)
        throws IOException, NoSuchApplicationException, DeploymentException;

    /**
     * Returns the deployments of a cluster group.
     *
     * @param group the requested group, for messages
     * @return never null
     * @throws DeploymentException when this instance is not in a cluster
     */
    GroupDeployments group(String group) throws DeploymentException;

    /**
     * Returns the rules of a processor.
     *
     * @return the processor, and rules with id, kind, active, text and attributes
     * @throws NoSuchApplicationException if there is no such application
     * @throws DeploymentException        when there is no such processor, or the application does not run
     */
    Map<String, Object> rules(String name, String processor) throws NoSuchApplicationException, DeploymentException;

    /**
     * Returns the rules of a processor as a component configuration file.
     *
     * @throws NoSuchApplicationException if there is no such application
     * @throws DeploymentException        when there is no such processor, or the application does not run
     */
    String ruleFile(String name, String processor) throws NoSuchApplicationException, DeploymentException;

    /**
     * Changes the rules of a processor while events flow.
     *
     * @param edit computes the new rules
     * @return the effect on each query
     * @throws NoSuchApplicationException if there is no such application
     * @throws DeploymentException        with all problems; nothing has changed
     */
    Map<String, Object> changeRules(String name, String processor, RuleEdit edit)
        throws NoSuchApplicationException, DeploymentException;

    /**
     * Returns state and figures of the recordings and playbacks of an application.
     *
     * @throws NoSuchApplicationException if there is no such application
     * @throws DeploymentException        when it does not run
     */
    Map<String, Object> recordings(String name) throws NoSuchApplicationException, DeploymentException;

    /**
     * Starts to record a stage.
     *
     * @return as {@link #recordings}
     * @throws NoSuchApplicationException if there is no such application
     * @throws DeploymentException        with all problems; nothing has changed
     */
    Map<String, Object> startRecording(String name, String stage, RecordingRequest request)
        throws NoSuchApplicationException, DeploymentException;

    /**
     * Stops to record a stage.
     *
     * @return as {@link #recordings}
     * @throws NoSuchApplicationException if there is no such application
     * @throws DeploymentException        when it is not recorded
     */
    Map<String, Object> stopRecording(String name, String stage)
        throws NoSuchApplicationException, DeploymentException;

    /**
     * Starts to play a dataset back.
     *
     * @return as {@link #recordings}
     * @throws NoSuchApplicationException if there is no such application
     * @throws DeploymentException        with all problems; nothing has changed
     */
    Map<String, Object> startPlayback(String name, String stage, RecordingRequest request)
        throws NoSuchApplicationException, DeploymentException;

    /**
     * Stops a playback.
     *
     * @return as {@link #recordings}
     * @throws NoSuchApplicationException if there is no such application
     * @throws DeploymentException        when nothing is being played back
     */
    Map<String, Object> stopPlayback(String name, String stage)
        throws NoSuchApplicationException, DeploymentException;

    /**
     * Returns the datasets of recorded events.
     *
     * @return one map for each dataset
     * @throws DeploymentException when the server has no event store
     */
    List<Map<String, Object>> datasets() throws DeploymentException;

    /**
     * Deletes a dataset.
     *
     * @throws DeploymentException when there is no such dataset, a stage records into it, or it cannot be deleted
     */
    Map<String, Object> deleteDataset(String dataset) throws DeploymentException;

    /** No application with this name is deployed. */
    final class NoSuchApplicationException extends Exception
    {
        private static final long serialVersionUID = 1L;

        /**
         * @param name  the requested name
         * @param known existing names
         */
        public NoSuchApplicationException(final String name, final List<String> known)
        {
            super("no application with this name, name=" + name + " applications=" + known);
        }
    }
}
