package dev.millrace.server.http;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.rules.RuleEdit;
import dev.millrace.server.spi.GroupDeployments;
import dev.millrace.server.spi.GroupDeployments.SettingsEdit;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

/** What the endpoint manages. Called by several threads; results are snapshots of names to plain values. */
public interface Management
{
    /**
     * The instance.
     *
     * @return its name, state, process and ports
     */
    Map<String, Object> server();

    /** Asks the instance to stop; returns at once. */
    void shutdown();

    /**
     * All applications.
     *
     * @return one map each
     */
    List<Map<String, Object>> applications();

    /**
     * One application.
     *
     * @param name symbolic name
     * @return its state
     * @throws NoSuchApplicationException when there is none
     */
    Map<String, Object> application(String name) throws NoSuchApplicationException;

    /**
     * Figures of a running application.
     *
     * @param name symbolic name
     * @return statistics of its network
     * @throws NoSuchApplicationException when there is none
     * @throws DeploymentException        when it does not run
     */
    Map<String, Object> statistics(String name) throws NoSuchApplicationException, DeploymentException;

    /**
     * Installs a bundle and waits until it runs.
     *
     * @param bundle    its bytes
     * @param fileName  as the user calls it
     * @param timeoutNs how long it may take to start; 0 for the usual limit
     * @return its state: running, or waiting for a service
     * @throws IOException         when the bytes cannot be read or kept
     * @throws DeploymentException with all problems; nothing is left of the application
     */
    Map<String, Object> install(InputStream bundle, String fileName, long timeoutNs)
        throws IOException, DeploymentException;

    /**
     * Replaces a bundle; when the new one does not start the old one is put back.
     *
     * @param name      symbolic name
     * @param bundle    bytes of the new version
     * @param fileName  as the user calls it
     * @param timeoutNs how long the new version may take to start; 0 for the limit of before
     * @return its state
     * @throws IOException                when the bytes cannot be read or kept
     * @throws NoSuchApplicationException when there is none
     * @throws DeploymentException        with all problems; the old version is back
     */
    Map<String, Object> update(String name, InputStream bundle, String fileName, long timeoutNs)
        throws IOException, NoSuchApplicationException, DeploymentException;

    /**
     * Removes every trace of an application.
     *
     * @param name symbolic name
     * @return its last state
     * @throws IOException                when that cannot be written; nothing has changed
     * @throws NoSuchApplicationException when there is none
     * @throws DeploymentException        when it does not let go
     */
    Map<String, Object> uninstall(String name)
        throws IOException, NoSuchApplicationException, DeploymentException;

    /**
     * Pauses the sources of an application.
     *
     * @param name symbolic name
     * @return its state
     * @throws IOException                when that cannot be written; nothing has changed
     * @throws NoSuchApplicationException when there is none
     * @throws DeploymentException        when it does not run
     */
    Map<String, Object> suspend(String name)
        throws IOException, NoSuchApplicationException, DeploymentException;

    /**
     * Lets a suspended application go on.
     *
     * @param name symbolic name
     * @return its state
     * @throws IOException                when that cannot be written; nothing has changed
     * @throws NoSuchApplicationException when there is none
     * @throws DeploymentException        when it cannot
     */
    Map<String, Object> resume(String name)
        throws IOException, NoSuchApplicationException, DeploymentException;

    /**
     * Makes an application anew on this instance, also one that has failed; its state is lost.
     *
     * @param name symbolic name
     * @return its state
     * @throws IOException                when its bundle cannot be read
     * @throws NoSuchApplicationException when there is none
     * @throws DeploymentException        when it does not start; it stays deployed and shows why
     */
    Map<String, Object> restart(String name) throws IOException, NoSuchApplicationException, DeploymentException;

    /**
     * Changes the configuration of an application of this instance, which is made anew for that.
     *
     * @param name symbolic name
     * @param edit makes the new settings
     * @return its state
     * @throws IOException                when files cannot be read or kept; everything is as before
     * @throws NoSuchApplicationException when there is none
     * @throws DeploymentException        with all problems; everything is as before
     */
    Map<String, Object> configure(String name, SettingsEdit edit)
        throws IOException, NoSuchApplicationException, DeploymentException;

    /**
     * What changes the applications of a group.
     *
     * @param group asked for
     * @return never null
     * @throws DeploymentException when this instance is not in a cluster
     */
    GroupDeployments group(String group) throws DeploymentException;

    /**
     * The rules of a processor.
     *
     * @param name      symbolic name
     * @param processor id
     * @return processor, and rules with id, kind, active, text and attributes
     * @throws NoSuchApplicationException when there is no such application
     * @throws DeploymentException        when there is no such processor, or it does not run
     */
    Map<String, Object> rules(String name, String processor) throws NoSuchApplicationException, DeploymentException;

    /**
     * The rules of a processor as a component configuration file.
     *
     * @param name      symbolic name
     * @param processor id
     * @return its text
     * @throws NoSuchApplicationException when there is no such application
     * @throws DeploymentException        when there is no such processor, or it does not run
     */
    String ruleFile(String name, String processor) throws NoSuchApplicationException, DeploymentException;

    /**
     * Changes the rules of a processor while events flow.
     *
     * @param name      symbolic name
     * @param processor id
     * @param edit      makes the new rules
     * @return what became of each query
     * @throws NoSuchApplicationException when there is no such application
     * @throws DeploymentException        with all problems; everything is as before
     */
    Map<String, Object> changeRules(String name, String processor, RuleEdit edit)
        throws NoSuchApplicationException, DeploymentException;

    /** Nothing of that name is deployed. */
    final class NoSuchApplicationException extends Exception
    {
        private static final long serialVersionUID = 1L;

        /**
         * Says which.
         *
         * @param name  asked for
         * @param known names there are
         */
        public NoSuchApplicationException(final String name, final List<String> known)
        {
            super("no application of this name, name=" + name + " applications=" + known);
        }
    }
}
