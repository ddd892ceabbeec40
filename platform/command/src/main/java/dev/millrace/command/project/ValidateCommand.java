package dev.millrace.command.project;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.ExternalTool;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.spi.ApplicationValidator;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Validates an application without a server. */
@Command(
    name = "validate", mixinStandardHelpOptions = true,
    description = {"Validates an application without a server: assembly files, configuration, classes and rules.",
        "Nothing of the application runs. The properties of adapters, and whether the server has the providers that" +
        " the application names, are checked when it is deployed."},
    footer = {"", "Examples:",
        "  millrace app validate .",
        "  millrace app validate target/my-application.jar"})
public final class ValidateCommand implements Callable<Integer>
{
    private static final String VALIDATOR = "millrace.validate";

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "PATH", description = "Bundle, or directory of a project.")
    private Path application;

    @Override
    public Integer call()
    {
        if (!Files.exists(application))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0268",
                "no such file or directory, path=" + application.toAbsolutePath(),
                "specify a bundle, or the directory of a project");
        }
        final ApplicationValidator validator = ExternalTool.create(VALIDATOR, ApplicationValidator.class);
        final PrintWriter out = spec.commandLine().getOut();
        try
        {
            final ApplicationValidator.Validation valid = validator.validate(application);
            valid.warnings().stream().map(Problem::format).forEach(text -> out.println("warning: " + text));
            out.println(valid.name() + " is valid: adapters and beans " + valid.beans() + ", channels " +
                valid.channels() + ", processors " + valid.processors() + ", rules " + valid.rules());
            out.flush();
            return ExitCode.DONE;
        }
        catch (final DeploymentException e)
        {
            final PrintWriter err = spec.commandLine().getErr();
            e.problems().stream().map(Problem::format).forEach(err::println);
            err.println(e.problems().size() == 1 ? "1 problem" : e.problems().size() + " problems");
            err.flush();
            return ExitCode.FAILED;
        }
    }
}
