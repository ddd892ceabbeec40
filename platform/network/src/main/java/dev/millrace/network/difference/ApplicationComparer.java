package dev.millrace.network.difference;

import dev.millrace.network.definition.DeploymentException;
import java.nio.file.Path;

/**
 * Compares two versions of an application by their files, and predicts the effect of an update from one to the other.
 * Nothing of them runs. Confined to one thread.
 */
public interface ApplicationComparer
{
    /**
     * Compares two versions.
     *
     * @param before a bundle, or the directory of a project
     * @param after  a bundle, or the directory of a project
     * @return the difference
     * @throws DeploymentException with every problem of the first version that is not valid
     */
    ApplicationDifference compare(Path before, Path after) throws DeploymentException;

    /**
     * Compares the application of the same name in a domain with its next version. Rules that were changed at run time
     * and the domain's values of placeholders are those of the domain.
     *
     * @param domain directory of the domain; its instance may be running
     * @param after  a bundle, or the directory of a project
     * @return the difference
     * @throws DeploymentException if the domain has no such application, and with every problem of the first version
     *     that is not valid
     */
    ApplicationDifference compareDeployed(Path domain, Path after) throws DeploymentException;
}
