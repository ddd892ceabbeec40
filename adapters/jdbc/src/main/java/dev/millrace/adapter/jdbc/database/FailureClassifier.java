package dev.millrace.adapter.jdbc.database;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Classifies the cause of a failure, which decides whether rows are sent to the database again. */
public enum FailureClassifier
{
    /** The database or the connection: the same rows may succeed later. */
    STORE,
    /** A row: it will never succeed. */
    ROW,
    /** Unclear. */
    UNKNOWN;

    private static final int MAX_CHAIN = 32;
    private static final int CLASS_LENGTH = 2;
    private static final Set<String> LOGIN = Set.of("28");
    /**
     * SQLSTATE classes: connection, login, missing database or schema, rollback, access or syntax, resources, limits,
     * wrong object state, operator intervention, system.
     */
    private static final Set<String> STORE_CLASSES =
        Set.of("08", "28", "3D", "3F", "40", "42", "53", "54", "55", "57", "58");
    /** SQLSTATE classes: cardinality, data, constraints, view check option. */
    private static final Set<String> ROW_CLASSES = Set.of("21", "22", "23", "44");
    private static final Set<String> MISSING_CLASSES = Set.of("42", "3D", "3F");

    /** Classifies a failure by itself, its causes and its next exceptions. */
    public static FailureClassifier of(final SQLException failure)
    {
        FailureClassifier fault = UNKNOWN;
        for (final Throwable one : chain(failure))
        {
            if (one instanceof SQLTransientException || one instanceof SQLNonTransientConnectionException ||
                one instanceof SQLRecoverableException || one instanceof SQLTimeoutException || has(one, STORE_CLASSES))
            {
                return STORE;
            }
            if (has(one, ROW_CLASSES))
            {
                fault = ROW;
            }
        }
        return fault;
    }

    /** Whether user or password were rejected. */
    public static boolean isLogin(final SQLException failure)
    {
        return chain(failure).stream().anyMatch(one -> has(one, LOGIN));
    }

    /** Whether an object named by a statement does not exist or is not accessible. */
    public static boolean isMissing(final SQLException failure)
    {
        return chain(failure).stream().anyMatch(one -> has(one, MISSING_CLASSES));
    }

    /** The reason of a failure. A pool only reports that it has no connection; its cause contains the reason. */
    public static String reason(final Throwable failure)
    {
        final List<Throwable> chain = chain(failure);
        final Throwable last = chain.get(chain.size() - 1);
        final String text = text(failure);
        // Failures of batches repeat the statement and refer to the next exception, which contains the reason.
        return failure instanceof BatchUpdateException || text.contains(text(last)) ? text(last) :
            text + " because " + text(last);
    }

    private static String text(final Throwable failure)
    {
        return String.valueOf(failure.getMessage()).replaceAll("\\s+", " ").strip();
    }

    private static boolean has(final Throwable failure, final Set<String> classes)
    {
        final String state = failure instanceof final SQLException sql ? sql.getSQLState() : null;
        return state != null && state.length() > CLASS_LENGTH && classes.contains(state.substring(0, CLASS_LENGTH));
    }

    private static List<Throwable> chain(final Throwable failure)
    {
        final List<Throwable> chain = new ArrayList<>();
        add(failure, chain);
        return chain;
    }

    private static void add(final Throwable failure, final List<Throwable> chain)
    {
        if (failure == null || chain.size() == MAX_CHAIN || chain.contains(failure))
        {
            return;
        }
        chain.add(failure);
        if (failure instanceof final SQLException sql)
        {
            add(sql.getNextException(), chain);
        }
        add(failure.getCause(), chain);
    }
}
