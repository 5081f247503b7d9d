// The health check of MongoDB's container, run by mongosh inside it. The first time it makes the replica set and its users;
// it may be cut short and repeated. MongoDB lets whoever is on its own machine make the set and the first user, and nobody
// else after that. Source: MongoDB manual, "Localhost Exception".
const { readFileSync } = require('fs');

const setAndHost = { _id: 'rs0', members: [{ _id: 0, host: 'mongodb:27017' }] };
// What the service does in its own database: documents and indexes, and validators.
const roles = ['readWrite', 'dbAdmin'].map((role) => ({ role, db: 'transfers' }));

const admin = db.getSiblingDB('admin');
const secret = (name) => readFileSync(`/run/secrets/${name}`, 'utf8').trim();
const logIn = () => admin.auth('root', secret('mongodb_root_password'));

function isLoggedIn() {
  try {
    logIn();
    return true;
  } catch {
    return false;
  }
}

function makeSet() {
  try {
    rs.initiate(setAndHost);
  } catch (error) {
    if (error.codeName !== 'AlreadyInitialized') throw error;
  }
}

function makeUsers() {
  if (admin.getUser('transfers') !== null) return;
  admin.createUser({ user: 'transfers', pwd: secret('mongodb_password'), roles });
}

const isPrimary = () => db.hello().isWritablePrimary;

const hasRoot = isLoggedIn();
if (!hasRoot) makeSet();
if (!isPrimary()) {
  quit(1);
} else {
  if (!hasRoot) {
    admin.createUser({ user: 'root', pwd: secret('mongodb_root_password'), roles: ['root'] });
    logIn();
  }
  makeUsers();
}
