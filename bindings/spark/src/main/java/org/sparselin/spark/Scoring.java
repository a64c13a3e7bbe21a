package org.sparselin.spark;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.sparselin.Predictor;

/** Adds columns of what a predictor says to rows, a batch at a time. */
final class Scoring implements Iterator<Row> {
    private static final int BATCH = 1024; // rows

    /** What a score, or those of several classes, become: values of the new columns. */
    @FunctionalInterface
    interface Columns {
        /**
         * Makes the new values of a row.
         *
         * @param scores as many as the predictor has classes
         */
        Object[] of(double[] scores);
    }

    private final Iterator<Row> rows;
    private final int column;
    private final Predictor predictor;
    private final Columns columns;
    private Iterator<Row> batch = List.<Row>of().iterator();

    Scoring(Iterator<Row> rows, int column, Predictor predictor, Columns columns) {
        this.rows = rows;
        this.column = column;
        this.predictor = predictor;
        this.columns = columns;
    }

    @Override
    public boolean hasNext() {
        return batch.hasNext() || rows.hasNext();
    }

    @Override
    public Row next() {
        if (!batch.hasNext()) batch = score();
        return batch.next();
    }

    private Iterator<Row> score() {
        List<Row> taken = new ArrayList<>();
        long most = 0;
        while (taken.size() < BATCH && rows.hasNext() && most < 1 << 22) {
            Row row = rows.next();
            if (row.isNullAt(column)) throw new IllegalArgumentException("a row has no features");
            taken.add(row);
            most += entries((Vector) row.get(column));
        }
        int[] pointers = new int[taken.size() + 1], indices = new int[(int) most];
        double[] values = new double[indices.length];
        for (int r = 0; r < taken.size(); ++r)
            pointers[r + 1] = Rows.append((Vector) taken.get(r).get(column), indices, values, pointers[r]);
        double[] scores = predictor.scoresCsr(pointers, indices, values);
        double[] own = new double[predictor.classes()];
        for (int r = 0; r < taken.size(); ++r) {
            System.arraycopy(scores, r * own.length, own, 0, own.length);
            taken.set(r, with(taken.get(r), columns.of(own)));
        }
        return taken.iterator();
    }

    /** The scores of one row. */
    static double[] scores(Predictor predictor, Vector features) {
        int[] indices = new int[entries(features)];
        double[] values = new double[indices.length];
        int[] pointers = {0, Rows.append(features, indices, values, 0)};
        return predictor.scoresCsr(pointers, indices, values);
    }

    private static int entries(Vector features) {
        return features instanceof SparseVector sparse ? sparse.indices().length : features.size();
    }

    private static Row with(Row row, Object[] more) {
        Object[] all = new Object[row.size() + more.length];
        for (int i = 0; i < row.size(); ++i) all[i] = row.get(i);
        System.arraycopy(more, 0, all, row.size(), more.length);
        return RowFactory.create(all);
    }
}
