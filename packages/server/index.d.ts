export * from 'resilin/server';
