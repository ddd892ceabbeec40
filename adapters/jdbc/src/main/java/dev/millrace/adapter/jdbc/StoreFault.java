package dev.millrace.adapter.jdbc;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Whose fault a failure is: that decides whether rows are given to the database once more. */
enum StoreFault
{
    /** Of the database or the way to it: the same rows may go in later. */
    STORE,
    /** Of a row: it will never go in. */
    ROW,
    /** It cannot be told. */
    UNKNOWN;

    private static final int MAX_CHAIN = 32;
    private static final int CLASS_LENGTH = 2;
    private static final Set<String> LOGIN = Set.of("28");
    /**
     * Classes of SQL states: connection, login, no such database or schema, rolled back, access or syntax, resources,
     * limits, not the right state, intervention of an operator, system.
     */
    private static final Set<String> STORE_CLASSES =
        Set.of("08", "28", "3D", "3F", "40", "42", "53", "54", "55", "57", "58");
    /** Cardinality, data, constraints, check of a view. */
    private static final Set<String> ROW_CLASSES = Set.of("21", "22", "23", "44");
    private static final Set<String> MISSING_CLASSES = Set.of("42", "3D", "3F");

    /** Looks at a failure, its causes and those beside it. */
    static StoreFault of(final SQLException failure)
    {
        StoreFault fault = UNKNOWN;
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

    /** Whether user or password were refused. */
    static boolean isLogin(final SQLException failure)
    {
        return chain(failure).stream().anyMatch(one -> has(one, LOGIN));
    }

    /** Whether something that a statement names is not there, or may not be seen. */
    static boolean isMissing(final SQLException failure)
    {
        return chain(failure).stream().anyMatch(one -> has(one, MISSING_CLASSES));
    }

    /** A pool says only that it has no connection; why is said by what it could not open. */
    static String reason(final Throwable failure)
    {
        final List<Throwable> chain = chain(failure);
        final Throwable last = chain.get(chain.size() - 1);
        final String text = text(failure);
        // Failures of batches repeat the statement and refer to the next failure, which says what was wrong.
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
