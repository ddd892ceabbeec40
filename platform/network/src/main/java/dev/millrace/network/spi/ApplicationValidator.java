package dev.millrace.network.spi;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import java.nio.file.Path;
import java.util.List;

/**
 * Validates applications without a server: assembly files, configuration, classes and rules. No adapter, bean or loader
 * of the application is created. Confined to one thread.
 */
public interface ApplicationValidator
{
    /**
     * Validates an application.
     *
     * @param application a bundle, or the directory of a project
     * @return a summary
     * @throws DeploymentException with every problem found
     */
    Validation validate(Path application) throws DeploymentException;

    /**
     * The summary of a valid application. Immutable.
     *
     * @param name       symbolic name
     * @param beans      number of adapters, event beans and other beans in the network
     * @param channels   number of channels
     * @param processors number of processors
     * @param rules      number of views and queries
     * @param warnings   what is allowed but probably not intended
     */
    record Validation(String name, int beans, int channels, int processors, int rules, List<Problem> warnings)
    {
        /** Copies the list. */
        public Validation
        {
            warnings = List.copyOf(warnings);
        }
    }
}
